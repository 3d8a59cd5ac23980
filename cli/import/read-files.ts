import type { ImportSettings } from '../../shared/contracts/trajectory-import.ts'
import { type Reading, readTrajectories } from '../../shared/trajectories/read-trajectories.ts'
import { openRows } from './open-rows.ts'

/** The rows of files, one after the other, numbered through; each file is read as a stream. */
export async function* readFiles(
  files: readonly string[],
  settings: ImportSettings,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Reading> {
  let first = 1
  for (const file of files) {
    for await (const reading of readTrajectories(openRows(file, onBytes), settings, { file, first })) {
      first += 1
      yield reading
    }
  }
}

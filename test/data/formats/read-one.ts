import type { ImportSettingsInput } from '../../../shared/core/contracts/trajectory-import.ts'
import { readText, trajectoriesOf } from '../trajectories/read-text.ts'

/** Reads one row as an import does. @returns its tree */
export async function readOne({ format, row }: { format: ImportSettingsInput['format']; row: object }) {
  const [found] = trajectoriesOf(await readText(JSON.stringify(row), { format }))
  if (found === undefined) throw new Error('Nothing was read.')
  return found.tree
}

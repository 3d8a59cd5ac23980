import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Run } from '../../shared/core/contracts/run.ts'
import { wellFormed } from '../../shared/core/contracts/well-formed.ts'
import { type ExportClient, readEpisodes } from '../../shared/data/exports/read-episodes.ts'

export interface WrittenTrajectories {
  files: string[]
  without: number
}

/** Writes `{run}/{episode}/trajectory.json` for each episode that has a trajectory, in Harbor's format (ATIF). */
export async function writeTrajectories(
  client: ExportClient,
  run: Run,
  { folder }: { folder: string },
): Promise<WrittenTrajectories> {
  const files: string[] = []
  let without = 0
  for await (const { episode, trajectory } of readEpisodes(client, run, { trajectory: true })) {
    if (trajectory === null) {
      without += 1
      continue
    }
    const place = join(run.id, episode.id)
    const file = join(place, 'trajectory.json')
    await mkdir(join(folder, place), { recursive: true })
    await writeFile(join(folder, file), `${JSON.stringify(wellFormed(trajectory), null, 2)}\n`)
    files.push(file)
  }
  return { files, without }
}

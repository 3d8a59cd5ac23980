import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import type { Episode } from '../../shared/core/contracts/episode.ts'
import type { Report } from '../../shared/core/contracts/report.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { type ExportClient, readEpisodes } from '../../shared/data/exports/read-episodes.ts'
import { renderEpisode } from './episode-page.ts'
import { renderIndex } from './index-page.ts'
import { renderRun } from './run-page.ts'

/**
 * Writes pages that show runs without a service: `index.html` with the runs and their comparison,
 * `runs/{run}/index.html`, and `runs/{run}/{episode}.html` with its tree. Links are relative, so the folder can be
 * moved, packed and opened from a disk. The comparison comes first, so that runs that cannot be compared are refused
 * before any page is written.
 * @returns the name of the first page
 */
export async function writeBundle(
  client: ExportClient & Pick<ApiClient, 'compare'>,
  runs: readonly Run[],
  folder: string,
): Promise<string> {
  const comparison = runs.length > 1 ? await client.compare(runs.map(({ id }) => id)) : null
  const shown: { run: Run; report: Report }[] = []
  for (const run of runs) {
    const place = join(folder, 'runs', run.id)
    await mkdir(place, { recursive: true })
    const episodes: Episode[] = []
    for await (const exported of readEpisodes(client, run, { tree: true, calls: true })) {
      episodes.push(exported.episode)
      await writeFile(join(place, `${exported.episode.id}.html`), await renderEpisode(exported))
    }
    const report = await client.report(run.id)
    await writeFile(join(place, 'index.html'), await renderRun(run, report, episodes))
    shown.push({ run, report })
  }
  await writeFile(join(folder, 'index.html'), await renderIndex(shown, comparison))
  return 'index.html'
}

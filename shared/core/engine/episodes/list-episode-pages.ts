import type { Episode } from '../../contracts/episode.ts'
import type { Runs } from '../runs/runs.ts'

const pageSize = 1000

export async function* listEpisodePages(
  runs: Pick<Runs, 'episodes'>,
  run: string,
): AsyncGenerator<Episode[]> {
  for (let after: string | null = null; ; ) {
    const page = await runs.episodes(run, { limit: pageSize, ...(after === null ? {} : { after }) })
    yield page.data
    if (!page.has_more || page.last_id === null) return
    after = page.last_id
  }
}

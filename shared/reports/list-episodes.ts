import type { Episode } from '../contracts/episode.ts'
import type { Runs } from '../engine/runs/runs.ts'

const pageSize = 1000

/** All episodes of a run in the order of their index, page by page. */
export async function* listEpisodes(runs: Pick<Runs, 'episodes'>, run: string): AsyncGenerator<Episode> {
  let after: string | null = null
  for (;;) {
    const page = await runs.episodes(run, after === null ? { limit: pageSize } : { limit: pageSize, after })
    yield* page.data
    if (!page.has_more || page.last_id === null) return
    after = page.last_id
  }
}

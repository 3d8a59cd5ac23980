import type { Episode } from '../contracts/episode.ts'
import type { Runs } from '../engine/runs/runs.ts'

/** Episodes of a run that come after one of them, in the order of their index, a page at a time. */
export async function* listEpisodePages(
  runs: Pick<Runs, 'episodes'>,
  run: string,
  options: { after: string | null; pageSize: number },
): AsyncGenerator<Episode[]> {
  let { after } = options
  for (;;) {
    const query = { limit: options.pageSize, ...(after === null ? {} : { after }) }
    const page = await runs.episodes(run, query)
    yield page.data
    if (!page.has_more || page.last_id === null) return
    after = page.last_id
  }
}

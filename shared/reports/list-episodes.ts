import type { Episode } from '../contracts/episode.ts'
import { listEpisodePages } from '../engine/episodes/list-episode-pages.ts'
import type { Runs } from '../engine/runs/runs.ts'

/** All episodes of a run in the order of their index. */
export async function* listEpisodes(runs: Pick<Runs, 'episodes'>, run: string): AsyncGenerator<Episode> {
  for await (const page of listEpisodePages(runs, run)) yield* page
}

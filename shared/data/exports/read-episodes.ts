import type { ApiClient } from '../../core/client/api-client.ts'
import { ApiError } from '../../core/client/api-error.ts'
import type { Episode } from '../../core/contracts/episode.ts'
import type { EpisodeCalls } from '../../core/contracts/episode-calls.ts'
import type { Run } from '../../core/contracts/run.ts'
import type { Trajectory } from '../../core/contracts/trajectory.ts'
import type { Tree } from '../../core/contracts/tree.ts'

export type ExportClient = Pick<ApiClient, 'run' | 'episodes' | 'tree' | 'trajectory' | 'calls' | 'report'>

export interface ExportedEpisode {
  run: Run
  episode: Episode
  tree: Tree | null
  trajectory: Trajectory | null
  calls: EpisodeCalls | null
}

const pageSize = 100

export async function* readEpisodes(
  client: ExportClient,
  run: Run,
  parts: { tree?: boolean; trajectory?: boolean; calls?: boolean },
): AsyncGenerator<ExportedEpisode> {
  let after: string | undefined
  while (true) {
    const page = await client.episodes(run.id, { limit: pageSize, after })
    for (const episode of page.data) {
      const [tree, trajectory, calls] = await Promise.all([
        parts.tree ? orNull(client.tree(run.id, episode.id)) : null,
        parts.trajectory ? orNull(client.trajectory(run.id, episode.id)) : null,
        parts.calls ? orNull(client.calls(run.id, episode.id)) : null,
      ])
      yield { run, episode, tree, trajectory, calls }
    }
    if (!page.has_more || page.last_id === null) return
    after = page.last_id
  }
}

/** An episode that has not begun, or plays nothing, has no tree and no trajectory. */
async function orNull<Part>(asked: Promise<Part>): Promise<Part | null> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return null
    throw error
  }
}

import type { QueryClient } from '@tanstack/react-query'
import type { ApiClient } from '../../shared/client/api-client.ts'
import type { EpisodeCounts, Run, RunStatus } from '../../shared/contracts/run.ts'
import { createPaced } from './paced.ts'

/** Behind every event: only the run's current state is sent, so that opening a page does not read a long history. */
const onlyAsItStands = Number.MAX_SAFE_INTEGER
/** Milliseconds between two looks at a run's episodes. */
const episodesPause = 2000
/** A report reads every episode: the service is asked for this many a second at most, in the long run. */
const episodesPerSecond = 500

const ends: ReadonlySet<RunStatus> = new Set(['succeeded', 'failed', 'cancelled'])

/** Whether a run has ended. It may continue: extended, or with its errored episodes played once more. */
export function hasEnded({ status }: Pick<Run, 'status'>): boolean {
  return ends.has(status)
}

/** Whether a run is played or waits to be: its figures change. */
export function isGoingOn({ status }: Pick<Run, 'status'>): boolean {
  return status === 'queued' || status === 'running'
}

/** How many episodes have ended, however they did. */
export function countEnded({ succeeded, failed, limited, errored, cancelled }: EpisodeCounts): number {
  return succeeded + failed + limited + errored + cancelled
}

/** Milliseconds between two looks at the report of a run of so many episodes. */
export function reportPause(episodes: number): number {
  return Math.max(episodesPause, (episodes / episodesPerSecond) * 1000)
}

/**
 * Keeps the current state of a run in the cache, and has its episodes and its report read again as they change, until it has ended or the
 * signal aborts. A service that goes away is waited for.
 *
 * @throws ApiError where the service refuses
 */
export async function followRun(
  id: string,
  {
    api,
    queryClient,
    signal,
  }: { api: Pick<ApiClient, 'events'>; queryClient: QueryClient; signal: AbortSignal },
): Promise<void> {
  const episodes = createPaced(() => void readEpisodesAgain(queryClient, id))
  const report = createPaced(() => void readAgain(queryClient, ['report', id]))
  let before = JSON.stringify(queryClient.getQueryData<Run>(['run', id])?.episodes)
  try {
    const following = { signal, after: onlyAsItStands, patience: Number.POSITIVE_INFINITY }
    for await (const message of api.events(id, following)) {
      if ('end' in message) break
      if (!('run' in message)) continue
      const { run } = message
      queryClient.setQueryData(['run', id], run)
      const now = JSON.stringify(run.episodes)
      if (now === before) continue
      before = now
      episodes.wish(episodesPause)
      report.wish(reportPause(run.episodes.total))
    }
    episodes.flush()
    report.flush()
  } finally {
    episodes.stop()
    report.stop()
  }
}

/** A read in progress is not restarted: under steady changes it would never finish. */
function readAgain(queryClient: QueryClient, queryKey: readonly unknown[]): Promise<void> {
  return queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false })
}

/** Lists that were read on page by page stay as they are: read again as a whole, they would take long and move under the eye. */
function readEpisodesAgain(queryClient: QueryClient, id: string): Promise<void> {
  return queryClient.invalidateQueries(
    { queryKey: ['episodes', id], predicate: ({ state: { data } }) => pagesIn(data) <= 1 },
    { cancelRefetch: false },
  )
}

function pagesIn(data: unknown): number {
  const isPaged = typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages)
  return isPaged ? (data.pages as unknown[]).length : 1
}

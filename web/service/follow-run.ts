import type { QueryClient } from '@tanstack/react-query'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import type { EpisodeCounts, Run, RunStatus } from '../../shared/core/contracts/run.ts'

/** A position after every event: the stream then sends only the run's current state, not its long history. */
const onlyAsItStands = Number.MAX_SAFE_INTEGER
const episodesPauseMilliseconds = 2000
/** A report reads every episode, so this bounds the average number of episodes that the service reads per second. */
const episodesPerSecond = 500

const ends: ReadonlySet<RunStatus> = new Set(['succeeded', 'failed', 'cancelled'])

export function hasEnded({ status }: Pick<Run, 'status'>): boolean {
  return ends.has(status)
}

export function isGoingOn({ status }: Pick<Run, 'status'>): boolean {
  return status === 'queued' || status === 'running'
}

export function countEnded({ succeeded, failed, limited, errored, cancelled }: EpisodeCounts): number {
  return succeeded + failed + limited + errored + cancelled
}

/** Milliseconds between two reads of the report of a run with this many episodes. */
export function reportPause(episodes: number): number {
  return Math.max(episodesPauseMilliseconds, (episodes / episodesPerSecond) * 1000)
}

/**
 * Keeps the current state of a run in the cache and refetches its episodes and report as they change. It ends when
 * the run ends or the signal aborts. It waits for a service that goes away.
 *
 * @throws ApiError if the service refuses
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
  let isOver = false
  const report = createPaced(() => void (isOver ? restart : readAgain)(queryClient, ['report', id]))
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
      episodes.wish(episodesPauseMilliseconds)
      report.wish(reportPause(run.episodes.total))
    }
    const run = queryClient.getQueryData<Run>(['run', id])
    isOver = run !== undefined && hasEnded(run)
    // Nothing changes after the end: include lists of several pages.
    if (isOver) void restart(queryClient, ['episodes', id])
    else episodes.flush()
    report.flush()
  } finally {
    episodes.stop()
    report.stop()
  }
}

/** Do not restart a read in progress: under steady changes it would never finish. */
function readAgain(queryClient: QueryClient, queryKey: readonly unknown[]): Promise<void> {
  return queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false })
}

// The client restarts a first read only after it was cancelled.
async function restart(queryClient: QueryClient, queryKey: readonly unknown[]): Promise<void> {
  await queryClient.cancelQueries({ queryKey })
  await queryClient.invalidateQueries({ queryKey })
}

/** Skip lists with several loaded pages: refetching them takes long and would move rows while the user reads. */
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

interface Paced {
  /** Acts immediately, or `pause` milliseconds after the last action if that was more recent. */
  wish(pause: number): void
  flush(): void
  stop(): void
}

export function createPaced(act: () => void): Paced {
  let last = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | null = null

  function run() {
    timer = null
    last = performance.now()
    act()
  }

  function stop() {
    if (timer !== null) clearTimeout(timer)
    timer = null
  }

  return {
    wish(pause) {
      if (timer === null) timer = setTimeout(run, Math.max(0, last + pause - performance.now()))
    },
    flush() {
      if (timer === null) return
      stop()
      run()
    },
    stop,
  }
}

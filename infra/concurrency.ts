// Episodes of one batch. Each makes one host call at a time.
const mostCalls = 10
// SQS's minimum for the concurrency of an event source.
const least = 2
// Dead-letter queues with an event source, if the quota has room for them.
const deadLetterFeeds = 4
// The sweeper, the scaler twice (every minute and on demand), and one that a deployment invokes.
const background = 4
// The quota from which dead letters have event sources. Below it, the sweeper reads them every minute.
const roomForDeadLetters = 40
// Maximum seconds for which an event stream keeps an instance of the API busy.
const streamSeconds = 15

export interface ConcurrencyShares {
  episodes: number
  few: number
  feedsDeadLetters: boolean
  hostCalls: number
  taken: number
  /** The remainder for the API and its authorizer. Null if the quota is unknown. */
  left: number | null
  /** Limits of the gateway, a second and in a burst: for all requests, and for event streams. */
  requests: { rate: number; burst: number }
  streams: { rate: number; burst: number }
  /** Of each route that needs no key, by the kind of its answers. Requests with a key do not share it. */
  open: Record<keyof typeof openRoutes, { rate: number; burst: number }>
}

// Files of a megabyte and more, whose traffic would be dear. Opening the documentation asks for several at once.
// Opening the dashboard asks for some twenty.
const openRoutes = {
  short: { rate: 2, burst: 5 },
  files: { rate: 0.2, burst: 20 },
  pages: { rate: 2, burst: 200 },
}

/**
 * Splits the account's concurrent executions so that all queues together stay below the quota. The API keeps a fifth,
 * at least two.
 *
 * @param most workers that the deployer wants
 * @param quota null if unknown: then nothing is reserved
 * @param hasHosts whether episodes also run on hosts, whose calls are executions too
 */
export function shareConcurrency(most: number, quota: number | null, hasHosts: boolean): ConcurrencyShares {
  if (quota === null) {
    const shares = sharesOf(most, mostCalls, true, hasHosts)
    return {
      ...shares,
      left: null,
      requests: { rate: 100, burst: 200 },
      streams: { rate: 100, burst: 200 },
      open: openRoutes,
    }
  }
  const feedsDeadLetters = quota >= roomForDeadLetters
  const forQueues = quota - Math.max(2, Math.ceil(quota / 5)) - Math.min(background, Math.floor(quota / 5))
  const fits = (workers: number, calls: number) =>
    sharesOf(workers, calls, feedsDeadLetters, hasHosts).taken <= forQueues
  let episodes = most
  // Few concurrent calls slow episodes on hosts; fewer workers slow all episodes.
  while (episodes > least && !fits(episodes, 2)) episodes -= 1
  let hostCalls = mostCalls
  while (hostCalls > 1 && !fits(episodes, hostCalls)) hostCalls -= 1
  const shares = sharesOf(episodes, hostCalls, feedsDeadLetters, hasHosts)
  const left = Math.max(0, quota - shares.taken)
  return { ...shares, left, ...throttles(left) }
}

function sharesOf(episodes: number, hostCalls: number, feedsDeadLetters: boolean, hasHosts: boolean) {
  const few = Math.max(least, Math.ceil(episodes / 10))
  const feeds = episodes + 2 * few + (feedsDeadLetters ? deadLetterFeeds * least : 0)
  const calls = hasHosts ? (episodes + few) * hostCalls : 0
  return { episodes, few, feedsDeadLetters, hostCalls, taken: feeds + calls }
}

// A stream keeps an instance busy, so streams may use half of the remainder, and other requests all of it.
function throttles(left: number): Pick<ConcurrencyShares, 'requests' | 'streams' | 'open'> {
  const streams = Math.max(1, Math.floor(left / 4))
  return {
    requests: { rate: Math.min(100, Math.max(5, 2 * left)), burst: Math.min(200, Math.max(5, left)) },
    streams: {
      rate: Math.min(100, Math.max(0.1, Math.round((10 * streams) / streamSeconds) / 10)),
      burst: Math.min(200, streams),
    },
    open: {
      short: {
        ...openRoutes.short,
        burst: Math.max(1, Math.min(openRoutes.short.burst, Math.floor(left / 4))),
      },
      files: {
        ...openRoutes.files,
        burst: Math.max(5, Math.min(openRoutes.files.burst, Math.floor(left / 4))),
      },
      // A file takes some milliseconds, so many share an execution.
      pages: { ...openRoutes.pages, burst: Math.max(50, Math.min(openRoutes.pages.burst, 2 * left)) },
    },
  }
}

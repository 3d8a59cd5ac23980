/** Episodes of one batch, each of which makes one call of a host at a time. */
const mostCalls = 10
/** The least that SQS takes for the concurrency of a feed. */
const least = 2
/** Queues whose dead letters are fed to a function, where the quota has room for that. */
const deadLetterFeeds = 4
/** The sweeper, the scaler twice (by the minute and when it is called), and one that a deployment calls. */
const background = 4
/** From this quota on dead letters have feeds of their own; below, the sweeper takes them each minute. */
const roomForDeadLetters = 40
/** Seconds for which an event stream keeps an instance of the API at most. */
const streamSeconds = 15

/** How the concurrent executions of an account are shared out in a stage. */
export interface ConcurrencyShares {
  /** Workers fed by the queue of episodes. */
  episodes: number
  /** Those fed by each of the smaller queues: `alone` and `datasets`. */
  few: number
  /** Whether dead letters are fed to a function of their own. */
  feedsDeadLetters: boolean
  /** Calls of hosts that one worker makes at a time. */
  hostCalls: number
  /** All that the queues may take at once, calls of hosts included. */
  taken: number
  /** What is left for the API and its authorizer; null where the quota is not known. */
  left: number | null
  /** Requests a second and at once that the gateway lets through, and of these those for event streams. */
  requests: { rate: number; burst: number }
  streams: { rate: number; burst: number }
}

/**
 * Shares out the concurrent executions of an account so that all queues together stay below them, and something is left for
 * the API: a fifth, and never less than two.
 *
 * @param most workers that the deployer wants
 * @param quota null where it is not known: then nothing is held back
 * @param hasHosts whether episodes are played on hosts too, whose calls are executions as well
 */
export function shareConcurrency(most: number, quota: number | null, hasHosts: boolean): ConcurrencyShares {
  if (quota === null) {
    const shares = sharesOf(most, mostCalls, true, hasHosts)
    return { ...shares, left: null, requests: { rate: 100, burst: 200 }, streams: { rate: 100, burst: 200 } }
  }
  const feedsDeadLetters = quota >= roomForDeadLetters
  const forQueues = quota - Math.max(2, Math.ceil(quota / 5)) - Math.min(background, Math.floor(quota / 5))
  const fits = (workers: number, calls: number) =>
    sharesOf(workers, calls, feedsDeadLetters, hasHosts).taken <= forQueues
  let episodes = most
  // Few calls at a time make episodes on hosts slow, but fewer workers make all episodes slow.
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

/** A stream keeps an instance for as long as it lasts, so streams may take half of what is left, and others all of it. */
function throttles(left: number): Pick<ConcurrencyShares, 'requests' | 'streams'> {
  const streams = Math.max(1, Math.floor(left / 4))
  return {
    requests: { rate: Math.min(100, Math.max(5, 2 * left)), burst: Math.min(200, Math.max(5, left)) },
    streams: {
      rate: Math.min(100, Math.max(0.1, Math.round((10 * streams) / streamSeconds) / 10)),
      burst: Math.min(200, streams),
    },
  }
}

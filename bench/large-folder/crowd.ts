import { setTimeout as delay } from 'node:timers/promises'
import { askFor, type LargeRequest } from './large-requests.ts'

export interface AnswerTimes {
  count: number
  failed: number
  median: number
  p99: number
  longest: number
}

export interface CrowdTimes {
  clients: AnswerTimes
  fewest: number
  most: number
  /** Times of `/health`, called ten times a second over its own connections. */
  health: AnswerTimes
  following: number
}

/**
 * Simulates clients that send one request after the other, each over new connections, while others follow a run's
 * events.
 * @param crowd.seconds duration
 */
export async function askInCrowd(
  address: string,
  crowd: {
    clients: number
    followers: number
    followed: string
    requests: readonly LargeRequest[]
    seconds: number
  },
): Promise<CrowdTimes> {
  const { clients, followed, followers, requests, seconds } = crowd
  const stopping = new AbortController()
  const { signal } = stopping
  let following = 0
  const streams = Array.from({ length: followers }, async () => {
    const answer = await fetch(new URL(`/v1/runs/${followed}/events?after=0`, address), { signal })
    following += 1
    try {
      for await (const _ of answer.body ?? []) if (signal.aborted) return
    } finally {
      following -= 1
    }
  })
  for (const stream of streams) stream.catch(() => undefined)
  const health = new Times()
  const probe = (async () => {
    while (!signal.aborted) {
      await health.time(() => askFor(address, { name: 'health', path: '/health' }))
      await delay(100)
    }
  })()
  const all = new Times()
  const counts = Array.from({ length: clients }, () => 0)
  const end = performance.now() + seconds * 1000
  await Promise.all(
    counts.map(async (_, client) => {
      for (let turn = client; performance.now() < end; turn += 1) {
        const request = requests[turn % requests.length] as LargeRequest
        await all.time(() => askFor(address, request))
        counts[client] = (counts[client] ?? 0) + 1
      }
    }),
  )
  const left = following
  stopping.abort()
  await Promise.allSettled([...streams, probe])
  return {
    clients: all.summary(),
    fewest: Math.min(...counts),
    most: Math.max(...counts),
    health: health.summary(),
    following: left,
  }
}

export class Times {
  readonly #times: number[] = []
  #failed = 0

  async time(ask: () => Promise<unknown>): Promise<void> {
    const began = performance.now()
    try {
      await ask()
    } catch {
      this.#failed += 1
    }
    this.#times.push(performance.now() - began)
  }

  summary(): AnswerTimes {
    const sorted = this.#times.toSorted((one, other) => one - other)
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
    return {
      count: sorted.length,
      failed: this.#failed,
      median: at(0.5),
      p99: at(0.99),
      longest: sorted.at(-1) ?? 0,
    }
  }
}

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type AnswerTimes, Times } from './answer-times.ts'
import { askFor, type LargeRequest } from './large-requests.ts'

export interface CrowdTimes {
  clients: AnswerTimes
  fewest: number
  most: number
  /** Times of `/health`, called ten times a second by a thread of its own: the crowd's thread is busy itself. */
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
  const probe = new Worker(new URL('./probe-health.ts', import.meta.url), { workerData: address })
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
  await Promise.allSettled(streams)
  probe.postMessage('stop')
  const [health] = (await once(probe, 'message')) as [AnswerTimes]
  return {
    clients: all.summary(),
    fewest: Math.min(...counts),
    most: Math.max(...counts),
    health,
    following: left,
  }
}

import { setTimeout as delay } from 'node:timers/promises'
import type { RunStatus } from '../../shared/core/contracts/run.ts'
import type { Followed, SharedPolls } from './shared-polls.ts'

export type StreamMessage = { event: string; data: string; id?: string } | 'keep-alive'

export interface FollowTimes {
  poll: number
  snapshot: number
  /** Milliseconds of silence before a comment. */
  keepAlive: number
  /** Milliseconds until the stream ends and the client reconnects. Absent: no end. */
  window?: number
  /** Bytes after which the stream ends likewise, if the answer's size is limited. */
  most?: number
}

const ends: ReadonlySet<RunStatus> = new Set(['succeeded', 'failed', 'cancelled'])
const mostBytesBesideData = 100

/**
 * Yields every event of a run or a rollout after `after`, with snapshots of it in between. It ends when all events of
 * an ended one are sent, the window closes, `most` bytes are sent, or the signal aborts.
 */
export async function* followStream(
  followed: Followed,
  options: { after: number; key: string; polls: SharedPolls; times: FollowTimes; signal: AbortSignal },
): AsyncGenerator<StreamMessage> {
  const { key, polls, times, signal } = options
  const { name, pageSize } = followed
  const began = performance.now()
  let after = options.after
  let shown: string | undefined
  let shownAt = Number.NEGATIVE_INFINITY
  let spokenAt = began
  let said = 0

  while (!signal.aborted) {
    // The first poll is this stream's own, so that it sees every change made before it began.
    const poll = await polls.poll(key, followed, after, shown === undefined ? 0 : times.poll / 2)
    const { snapshot, status } = poll
    const ended = ends.has(status)
    for (let { events } = poll; ; ) {
      for (const event of events) {
        const data = JSON.stringify(event)
        yield { id: String(event.sequence), event: event.type, data }
        after = event.sequence
        said += Buffer.byteLength(data) + mostBytesBesideData
        if (said > (times.most ?? Number.POSITIVE_INFINITY)) return
      }
      if (events.length > 0) spokenAt = performance.now()
      if (events.length < pageSize || signal.aborted) break
      events = await followed.events({ after, limit: pageSize })
    }
    const at = performance.now()
    if (snapshot !== shown && (ended || at - shownAt >= times.snapshot)) {
      yield { event: name, data: snapshot }
      said += Buffer.byteLength(snapshot) + mostBytesBesideData
      shown = snapshot
      shownAt = at
      spokenAt = at
    }
    if (ended) {
      yield { event: 'end', data: JSON.stringify({ status }) }
      return
    }
    if (at - spokenAt >= times.keepAlive) {
      yield 'keep-alive'
      spokenAt = at
    }
    if (times.window !== undefined && at - began >= times.window) return
    await wait(times.poll, signal)
  }
}

async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(milliseconds, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

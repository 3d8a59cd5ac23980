import { setTimeout as delay } from 'node:timers/promises'
import type { RunStatus } from '../../shared/core/contracts/run.ts'
import type { Runs } from '../../shared/core/engine/runs/runs.ts'

export type RunMessage = { event: string; data: string; id?: string } | 'keep-alive'

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
const pageSize = 500
/** Upper bound of a message's bytes besides its data. */
const beside = 100

/**
 * Yields every stored event of a run after `after`, with snapshots of the run in between. It ends when the ended
 * run's events are all sent, the window closes, `most` bytes are sent, or the signal aborts.
 */
export async function* followRun(
  runs: Pick<Runs, 'get' | 'events'>,
  id: string,
  options: { after: number; times: FollowTimes; signal: AbortSignal },
): AsyncGenerator<RunMessage> {
  const { times, signal } = options
  const began = performance.now()
  let after = options.after
  let shown = ''
  let shownAt = Number.NEGATIVE_INFINITY
  let spokenAt = began
  let said = 0

  while (!signal.aborted) {
    // Read before the events: if the run has ended here, the events read next are complete.
    const run = await runs.get(id)
    const ended = ends.has(run.status)
    for (let more = true; more && !signal.aborted; ) {
      const events = await runs.events(id, { after, limit: pageSize })
      for (const event of events) {
        const data = JSON.stringify(event)
        yield { id: String(event.sequence), event: event.type, data }
        after = event.sequence
        said += Buffer.byteLength(data) + beside
        if (said > (times.most ?? Number.POSITIVE_INFINITY)) return
      }
      more = events.length === pageSize
      if (events.length > 0) spokenAt = performance.now()
    }
    const snapshot = JSON.stringify(run)
    const now = performance.now()
    if (snapshot !== shown && (ended || now - shownAt >= times.snapshot)) {
      yield { event: 'run', data: snapshot }
      said += Buffer.byteLength(snapshot) + beside
      shown = snapshot
      shownAt = now
      spokenAt = now
    }
    if (ended) {
      yield { event: 'end', data: JSON.stringify({ status: run.status }) }
      return
    }
    if (now - spokenAt >= times.keepAlive) {
      yield 'keep-alive'
      spokenAt = now
    }
    if (times.window !== undefined && now - began >= times.window) return
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

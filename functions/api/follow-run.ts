import { setTimeout as delay } from 'node:timers/promises'
import type { RunStatus } from '../../shared/contracts/run.ts'
import type { Runs } from '../../shared/engine/runs/runs.ts'

/** What goes over the wire next: a server-sent event, or a comment that keeps idle connections open. */
export type RunMessage = { event: string; data: string; id?: string } | 'keep-alive'

export interface FollowTimes {
  /** Milliseconds between looks at the run. */
  poll: number
  /** Milliseconds between snapshots of a run that keeps changing. */
  snapshot: number
  /** Milliseconds of silence before a comment. */
  keepAlive: number
  /** Milliseconds until the stream ends of itself, for a client to come back. No end where it is absent. */
  window?: number
  /** Bytes after which it ends likewise, where an answer must not be larger. */
  most?: number
}

const ends: ReadonlySet<RunStatus> = new Set(['succeeded', 'failed', 'cancelled'])
const pageSize = 500
/** Bytes of a message beside its data, at most. */
const beside = 100

/**
 * Every stored event of a run after `after`, as it comes, with snapshots of the run in between, until the run has ended
 * and everything was sent, the window closes, enough was sent or the signal aborts.
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
    // Read before the events: when it has ended here, the events that follow are all there will be.
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

import { assumptions } from '../cost/assumptions.ts'
import { EventQueue } from './event-queue.ts'
import { EpisodeQueue, type Progress, playOn, type SimulatedRun } from './simulated-run.ts'

export interface LambdaSettings {
  batch: number
  concurrency: number
  window: number
}

export interface Invocation {
  start: number
  seconds: number
  episodes: number
}

export interface LambdaRun {
  invocations: Invocation[]
  busy: number
  hops: number
  lost: number
  seconds: number
}

type Event =
  | { what: 'sent'; episodes: Progress[] }
  | { what: 'window' }
  | { what: 'free' }
  | { what: 'ended' }

/**
 * Plays a run with Lambda in virtual time. Batches of waiting messages go to free invocations. An invocation lasts
 * until its last episode has left. Episodes unfinished at its deadline are sent on, one message each.
 */
export function simulateLambda(run: SimulatedRun, { batch, concurrency, window }: LambdaSettings): LambdaRun {
  const events = new EventQueue<Event>()
  const places = new EpisodeQueue(run)
  const waiting: { progress: Progress; since: number }[] = []
  const result: LambdaRun = { invocations: [], busy: 0, hops: 0, lost: 0, seconds: 0 }
  let running = 0
  events.plan(assumptions.stage.delivery, { what: 'sent', episodes: places.fill() })

  for (let next = events.next(); next !== null; next = events.next()) {
    const { at, event } = next
    if (event.what === 'sent') {
      waiting.push(...event.episodes.map((progress) => ({ progress, since: at })))
      if (window > 0) events.plan(at + window, { what: 'window' })
    } else if (event.what === 'free') running -= 1
    else if (event.what === 'ended') {
      result.seconds = at
      places.ended()
      const episodes = places.fill()
      if (episodes.length > 0) events.plan(at + assumptions.stage.delivery, { what: 'sent', episodes })
    }
    while (running < concurrency && isReady(at)) invoke(at)
  }
  return result

  function isReady(now: number): boolean {
    const [oldest] = waiting
    if (oldest === undefined) return false
    return waiting.length >= batch || now - oldest.since >= window
  }

  function invoke(now: number): void {
    const taken = waiting.splice(0, batch)
    const { cut, stop } = assumptions.stage.lambda
    let left = now
    for (const { progress } of taken) {
      const { end, isOver, lost } = playOn(progress, now, now + stop, now + cut)
      left = Math.max(left, end)
      result.lost += lost
      if (isOver) events.plan(end, { what: 'ended' })
      else {
        result.hops += 1
        events.plan(end + assumptions.stage.delivery, { what: 'sent', episodes: [progress] })
      }
    }
    const seconds = left - now + assumptions.worker.overhead
    result.invocations.push({ start: now, seconds, episodes: taken.length })
    result.busy += seconds
    running += 1
    events.plan(now + seconds, { what: 'free' })
  }
}

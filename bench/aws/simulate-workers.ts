import { createRandom } from '../../shared/core/random/random.ts'
import { assumptions } from '../cost/assumptions.ts'
import { EventQueue } from './event-queue.ts'
import { EpisodeQueue, type Progress, playOn, type SimulatedRun } from './simulated-run.ts'
import type { Timeline } from './timelines.ts'

export interface WorkersRun {
  tasks: number
  busy: number
  played: number
  hops: number
  lost: number
  seconds: number
  /** Seconds of tasks on demand, which are in `busy` too. */
  onDemand: number
  /** The most objects in a second of which episodes are the only owners. */
  peak: number
}

/** Times are seconds since the run began. */
export interface Weather {
  /** Spot takes all tasks back, and places none until its end. */
  shortage?: { from: number; to: number }
  slowDown?: { from: number; to: number; share: number }
}

interface Task {
  isSpot: boolean
  start: number
  noticed: number
  playing: number
}

type Event =
  | { what: 'look' }
  | { what: 'started'; isSpot: boolean }
  | { what: 'left'; task: Task; progress: Progress; isOver: boolean }
  | { what: 'gone'; task: Task }
  | { what: 'sent'; episodes: Progress[] }

/**
 * Episodes in flight per worker: its places, or its processor's capacity if waves are short.
 * @param waves seconds of a wave, and its calls, on average
 */
export function placesOf(waves: { seconds: number; calls: number }): number {
  const { busy, call, places, segment } = assumptions.stage.worker
  const work = waves.calls * call + segment
  return Math.max(1, Math.min(places, Math.floor((busy * waves.seconds) / work)))
}

/**
 * Plays a run with long-lived workers in virtual time. The queue's alarm starts them, a free place takes the next
 * message immediately, Spot takes some back, and they leave 15 minutes after the last demand. Workers start on demand
 * after ten minutes in which episodes wait and none is played.
 */
export function simulateWorkers(run: SimulatedRun, maxWorkers: number, weather: Weather = {}): WorkersRun {
  const { alarm, group, interruption, linger, notice, stalled, start } = assumptions.stage.worker
  const random = createRandom(2)
  const perTask = placesOf(meanWave(run.timelines))
  const events = new EventQueue<Event>()
  const places = new EpisodeQueue(run)
  const waiting: Progress[] = []
  const tasks = new Set<Task>()
  const result: WorkersRun = {
    tasks: 0,
    busy: 0,
    played: 0,
    hops: 0,
    lost: 0,
    seconds: 0,
    onDemand: 0,
    peak: 0,
  }
  const puts = new Map<number, number>()
  let starting = 0
  let stalledSince: number | null = null
  events.plan(assumptions.stage.delivery, { what: 'sent', episodes: places.fill() })
  events.plan(alarm, { what: 'look' })

  for (let next = events.next(); next !== null; next = events.next()) {
    const { at, event } = next
    if (event.what === 'sent') waiting.push(...event.episodes)
    else if (event.what === 'look') look(at)
    else if (event.what === 'started') begin(at, event.isSpot)
    else if (event.what === 'gone') leave(event.task, at)
    else settle(event, at)
    for (const task of tasks) while (task.playing < perTask && waiting.length > 0) play(task, at)
  }
  for (const task of [...tasks]) leave(task, Number.POSITIVE_INFINITY)
  for (const count of puts.values()) result.peak = Math.max(result.peak, count)
  return result

  function look(now: number): void {
    if (places.isOver) return
    events.plan(now + alarm, { what: 'look' })
    const isStalled = waiting.length > 0 && starting === 0 && ![...tasks].some((task) => now < task.noticed)
    stalledSince = isStalled ? (stalledSince ?? now) : null
    if (stalledSince !== null && now - stalledSince >= stalled) {
      stalledSince = null
      plan(now, Math.ceil(waiting.length / assumptions.stage.worker.places), false)
    }
    if (waiting.length === 0 || starting > 0 || isWithin(weather.shortage, now)) return
    const more =
      waiting.length < assumptions.stage.worker.places
        ? 1
        : waiting.length < 3 * assumptions.stage.worker.places
          ? 2
          : 4
    plan(now, more, true)
  }

  function plan(now: number, count: number, isSpot: boolean): void {
    for (let left = Math.min(count, maxWorkers - tasks.size); left > 0; left -= 1) {
      starting += 1
      events.plan(now + start, { what: 'started', isSpot })
    }
  }

  function begin(now: number, isSpot: boolean): void {
    starting -= 1
    result.tasks += 1
    const drawn = now - interruption * 3600 * Math.log(1 - random())
    const { from = Number.POSITIVE_INFINITY } = weather.shortage ?? {}
    const taken = now < from ? Math.min(drawn, from) : drawn
    const task = {
      isSpot,
      start: now - start,
      noticed: isSpot ? taken : Number.POSITIVE_INFINITY,
      playing: 0,
    }
    tasks.add(task)
    if (isSpot) events.plan(task.noticed + notice, { what: 'gone', task })
  }

  // The first segment of a stretch is an object, and every 32 are copied into one; the others share the log's.
  function commit(at: number, segment: number): number {
    if (segment % assumptions.stage.worker.copied === 0) {
      const second = Math.floor(at)
      puts.set(second, (puts.get(second) ?? 0) + 1)
    }
    let waited = group / 2
    for (let tries = 0; isWithin(weather.slowDown, at + waited); tries += 1) {
      if (random() >= (weather.slowDown?.share ?? 0)) break
      waited += random() * Math.min(20, 0.5 * 2 ** tries)
    }
    return waited
  }

  function leave(task: Task, now: number): void {
    if (!tasks.delete(task)) return
    // Workers interrupted after the run's linger period cost nothing after it.
    const until = places.isOver ? Math.min(now, result.seconds + linger) : now
    result.busy += until - task.start
    if (!task.isSpot) result.onDemand += until - task.start
  }

  function play(task: Task, now: number): void {
    const progress = waiting.shift()
    if (progress === undefined || now >= task.noticed) {
      if (progress !== undefined) waiting.unshift(progress)
      task.playing = perTask
      return
    }
    const { end, isOver, lost } = playOn(progress, now, task.noticed, task.noticed + notice, commit)
    task.playing += 1
    result.lost += lost
    result.played += end - now
    events.plan(end, { what: 'left', task, progress, isOver })
  }

  function settle({ task, progress, isOver }: Extract<Event, { what: 'left' }>, now: number): void {
    task.playing -= 1
    if (!isOver) {
      result.hops += 1
      events.plan(now + assumptions.stage.delivery, { what: 'sent', episodes: [progress] })
      return
    }
    result.seconds = now
    places.ended()
    const episodes = places.fill()
    if (episodes.length > 0) events.plan(now + assumptions.stage.delivery, { what: 'sent', episodes })
  }
}

function isWithin(stretch: { from: number; to: number } | undefined, at: number): boolean {
  return stretch !== undefined && at >= stretch.from && at < stretch.to
}

export function meanWave(timelines: readonly Timeline[]): { seconds: number; calls: number } {
  const waves = timelines.reduce((all, one) => all + one.waves.length, 0)
  const total = (of: (one: Timeline) => number[]) =>
    timelines.reduce((all, one) => all + of(one).reduce((sum, value) => sum + value, 0), 0)
  return { seconds: total((one) => one.waves) / waves, calls: total((one) => one.calls) / waves }
}

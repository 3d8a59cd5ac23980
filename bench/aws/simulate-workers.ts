import { createRandom } from '../../shared/core/random/random.ts'
import { assumptions } from '../cost/assumptions.ts'
import { EventQueue } from './event-queue.ts'
import { Places, type Progress, playOn, type SimulatedRun } from './simulated-run.ts'
import type { Timeline } from './timelines.ts'

export interface WorkersRun {
  tasks: number
  busy: number
  played: number
  hops: number
  lost: number
  seconds: number
}

interface Task {
  start: number
  noticed: number
  playing: number
}

type Event =
  | { what: 'look' }
  | { what: 'started' }
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
 * message immediately, Spot takes some back, and they leave 15 minutes after the last demand.
 */
export function simulateWorkers(run: SimulatedRun, maxWorkers: number): WorkersRun {
  const { alarm, group, interruption, linger, notice, start } = assumptions.stage.worker
  const random = createRandom(2)
  const perTask = placesOf(meanWave(run.timelines))
  const events = new EventQueue<Event>()
  const places = new Places(run)
  const waiting: Progress[] = []
  const tasks = new Set<Task>()
  const result: WorkersRun = { tasks: 0, busy: 0, played: 0, hops: 0, lost: 0, seconds: 0 }
  let starting = 0
  events.plan(assumptions.stage.delivery, { what: 'sent', episodes: places.fill() })
  events.plan(alarm, { what: 'look' })

  for (let next = events.next(); next !== null; next = events.next()) {
    const { at, event } = next
    if (event.what === 'sent') waiting.push(...event.episodes)
    else if (event.what === 'look') look(at)
    else if (event.what === 'started') begin(at)
    else if (event.what === 'gone') leave(event.task, at)
    else settle(event, at)
    for (const task of tasks) while (task.playing < perTask && waiting.length > 0) play(task, at)
  }
  return result

  function look(now: number): void {
    if (places.isOver) return
    events.plan(now + alarm, { what: 'look' })
    if (waiting.length === 0 || starting > 0) return
    const more =
      waiting.length < assumptions.stage.worker.places
        ? 1
        : waiting.length < 3 * assumptions.stage.worker.places
          ? 2
          : 4
    for (let left = Math.min(more, maxWorkers - tasks.size); left > 0; left -= 1) {
      starting += 1
      events.plan(now + start, { what: 'started' })
    }
  }

  function begin(now: number): void {
    starting -= 1
    result.tasks += 1
    const task = {
      start: now - start,
      noticed: now - interruption * 3600 * Math.log(1 - random()),
      playing: 0,
    }
    tasks.add(task)
    events.plan(task.noticed + notice, { what: 'gone', task })
  }

  function leave(task: Task, now: number): void {
    if (!tasks.delete(task)) return
    // Workers interrupted after the run's linger period cost nothing after it.
    const until = places.isOver ? Math.min(now, result.seconds + linger) : now
    result.busy += until - task.start
  }

  function play(task: Task, now: number): void {
    const progress = waiting.shift()
    if (progress === undefined || now >= task.noticed) {
      if (progress !== undefined) waiting.unshift(progress)
      task.playing = perTask
      return
    }
    const { end, isOver, lost } = playOn(progress, now, task.noticed, task.noticed + notice, group / 2)
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

export function meanWave(timelines: readonly Timeline[]): { seconds: number; calls: number } {
  const waves = timelines.reduce((all, one) => all + one.waves.length, 0)
  const total = (of: (one: Timeline) => number[]) =>
    timelines.reduce((all, one) => all + of(one).reduce((sum, value) => sum + value, 0), 0)
  return { seconds: total((one) => one.waves) / waves, calls: total((one) => one.calls) / waves }
}

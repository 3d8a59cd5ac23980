import { placesAtOnce } from '../../shared/core/engine/runs/top-up.ts'
import { assumptions } from './assumptions.ts'

export interface Schedule {
  parallel: number
  batch: number
  concurrency: number
}

export interface Invocation {
  start: number
  seconds: number
  episodes: number
}

/**
 * Simulates a run: the first episodes are queued together, later ones as the engine fills their places.
 * Simultaneously queued episodes go in whole batches to free workers. An invocation lasts until its last episode has
 * ended.
 * @param durations seconds of each episode, in queue order
 */
export function schedule(
  durations: readonly number[],
  { parallel, batch, concurrency }: Schedule,
): Invocation[] {
  const invocations: Invocation[] = []
  const ends: number[] = []
  const workers: number[] = []
  let queued = Math.min(parallel, durations.length)
  let taken = 0
  let done = 0
  let now = 0
  for (;;) {
    while (queued > taken && workers.length < concurrency) {
      const episodes = durations.slice(taken, Math.min(queued, taken + batch))
      taken += episodes.length
      const seconds = Math.max(...episodes) + assumptions.worker.overhead
      invocations.push({ start: now, seconds, episodes: episodes.length })
      for (const duration of episodes) insert(ends, now + duration)
      insert(workers, now + seconds)
    }
    const next = Math.min(ends[0] ?? Number.POSITIVE_INFINITY, workers[0] ?? Number.POSITIVE_INFINITY)
    if (next === Number.POSITIVE_INFINITY) return invocations
    now = next
    while (ends[0] !== undefined && ends[0] <= now) {
      ends.shift()
      done += 1
    }
    const end = Math.min(durations.length, done + parallel)
    if (end === durations.length || end - queued >= placesAtOnce(parallel)) queued = end
    while (workers[0] !== undefined && workers[0] <= now) workers.shift()
  }
}

function insert(list: number[], value: number): void {
  const place = list.findIndex((one) => one > value)
  list.splice(place < 0 ? list.length : place, 0, value)
}

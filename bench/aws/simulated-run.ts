import { placesAtOnce } from '../../shared/engine/runs/top-up.ts'
import { assumptions } from '../cost/assumptions.ts'
import type { Timeline } from './timelines.ts'

/** A run of a stage on paper. */
export interface SimulatedRun {
  episodes: number
  /** Episodes in flight at most. */
  parallel: number
  timelines: readonly Timeline[]
}

/** An episode of a simulated run: how far it has come. */
export interface Progress {
  timeline: Timeline
  /** The next wave to play. */
  wave: number
}

/** The part of an episode that one process plays. */
export interface Stretch {
  /** When its last commit is made, or its calls are cut off. */
  end: number
  isOver: boolean
  /** Calls that were paid for and brought no answer. */
  lost: number
}

/** Which episodes of a run are queued when: `parallel` at first, then as the engine fills their places. */
export class Places {
  readonly #run: SimulatedRun
  #queued = 0
  #done = 0

  constructor(run: SimulatedRun) {
    this.#run = run
  }

  get isOver(): boolean {
    return this.#done === this.#run.episodes
  }

  /** The episodes to queue now. */
  fill(): Progress[] {
    const { episodes, parallel, timelines } = this.#run
    const end = Math.min(episodes, this.#done + parallel)
    if (end < episodes && this.#queued > 0 && end - this.#queued < placesAtOnce(parallel)) return []
    const next: Progress[] = []
    for (; this.#queued < end; this.#queued += 1) {
      const timeline = timelines[this.#queued % timelines.length]
      if (timeline !== undefined) next.push({ timeline, wave: 0 })
    }
    return next
  }

  ended(): void {
    this.#done += 1
  }
}

/**
 * Plays an episode on from a moment until it is over, or a deadline comes.
 *
 * @param stop when it starts no further wave
 * @param cut when the calls of its last wave are cut off
 */
export function playOn(progress: Progress, from: number, stop: number, cut: number): Stretch {
  const { segment, start, end } = assumptions.waits
  const { waves, calls } = progress.timeline
  let now = from + start
  while (progress.wave < waves.length) {
    if (now >= stop) return { end: now, isOver: false, lost: 0 }
    const done = now + (waves[progress.wave] ?? 0) + segment
    if (done > cut) return { end: cut, isOver: false, lost: calls[progress.wave] ?? 0 }
    progress.wave += 1
    now = done
  }
  return { end: now + end, isOver: true, lost: 0 }
}

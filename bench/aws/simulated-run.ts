import { placesAtOnce } from '../../shared/core/engine/runs/top-up.ts'
import { assumptions } from '../cost/assumptions.ts'
import type { Timeline } from './timelines.ts'

export interface SimulatedRun {
  episodes: number
  parallel: number
  timelines: readonly Timeline[]
}

export interface Progress {
  timeline: Timeline
  wave: number
}

export interface Stretch {
  end: number
  isOver: boolean
  lost: number
}

export class EpisodeQueue {
  readonly #run: SimulatedRun
  #queued = 0
  #done = 0

  constructor(run: SimulatedRun) {
    this.#run = run
  }

  get isOver(): boolean {
    return this.#done === this.#run.episodes
  }

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

/** @param commit seconds that a segment takes beside the usual, at a time and as which of the stretch */
export function playOn(
  progress: Progress,
  from: number,
  stop: number,
  cut: number,
  commit: (at: number, segment: number) => number = () => 0,
): Stretch {
  const { segment, start, end } = assumptions.waits
  const { waves, calls } = progress.timeline
  let now = from + start
  let committed = 0
  while (progress.wave < waves.length) {
    if (now >= stop) return { end: now, isOver: false, lost: 0 }
    const answered = now + (waves[progress.wave] ?? 0) + segment
    const done = answered + commit(answered, committed)
    if (done > cut) return { end: cut, isOver: false, lost: calls[progress.wave] ?? 0 }
    committed += 1
    progress.wave += 1
    now = done
  }
  return { end: now + end, isOver: true, lost: 0 }
}

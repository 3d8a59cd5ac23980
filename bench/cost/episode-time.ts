import type { Random } from '../../shared/random/random.ts'
import { assumptions } from './assumptions.ts'

/** How long an episode takes, and what the spread of its answers adds to its journal. */
export interface EpisodeTime {
  seconds: number
  /** Segments that answers fill which come too late for those of their wave. */
  lateSegments: number
}

/**
 * Computes an episode's time from its waves: those of one wave run side by side, so a wave takes as long as its slowest
 * answer.
 *
 * @param waves how many calls each wave has
 */
export function episodeTime(
  waves: readonly number[],
  random: Random,
  { least, mean } = assumptions.latency as Latency,
): EpisodeTime {
  const { waits } = assumptions
  let seconds: number = waits.start + waits.end
  let lateSegments = 0
  for (const calls of waves) {
    const answers = Array.from({ length: calls }, () => least - (mean - least) * Math.log(1 - random()))
    const segments = Math.max(1, segmentsOf(answers))
    lateSegments += segments - 1
    seconds += Math.max(0, ...answers) + waits.segment
  }
  return { seconds, lateSegments }
}

export interface Latency {
  least: number
  mean: number
}

/** Into how many segments a wave's answers fall: one takes those that come while the first of them waits for others. */
export function segmentsOf(answers: readonly number[], gather: number = assumptions.worker.gather): number {
  let segments = 0
  let open = Number.NEGATIVE_INFINITY
  for (const answer of answers.toSorted((one, other) => one - other)) {
    if (answer <= open) continue
    segments += 1
    open = answer + gather
  }
  return segments
}

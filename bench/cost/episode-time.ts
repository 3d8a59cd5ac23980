import type { Random } from '../../shared/core/random/random.ts'
import { assumptions } from './assumptions.ts'

export interface EpisodeTime {
  seconds: number
  lateSegments: number
}

/**
 * Computes an episode's time from its waves. Calls of a wave run concurrently, so a wave takes as long as its slowest
 * answer.
 * @param waves calls per wave
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

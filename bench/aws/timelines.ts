import { createRandom } from '../../shared/core/random/random.ts'
import { assumptions } from '../cost/assumptions.ts'

export interface Timeline {
  /** Seconds of each wave. Its calls run concurrently, so it takes as long as its slowest answer. */
  waves: number[]
  calls: number[]
  segments: number
}

const drawn = 1000

/**
 * Draws episodes with the measured calls per wave, from a model with this mean latency.
 * @param counts calls per wave of the counted episodes
 * @param gather seconds for which answers wait for others of their wave
 */
export function drawTimelines(counts: readonly number[][], mean: number, gather: number): Timeline[] {
  const random = createRandom(1)
  const least = assumptions.latency.leastShare * mean
  return Array.from({ length: drawn }, (_, index) => {
    const calls = (counts[index % counts.length] ?? []).filter((count) => count > 0)
    let segments = 0
    const waves = calls.map((count) => {
      const answers = Array.from({ length: count }, () => least - (mean - least) * Math.log(1 - random()))
      segments += segmentsOf(answers, gather)
      return Math.max(...answers)
    })
    return { waves, calls, segments }
  })
}

export function segmentsOf(answers: readonly number[], gather: number): number {
  let segments = 0
  let open = Number.NEGATIVE_INFINITY
  for (const answer of answers.toSorted((one, other) => one - other)) {
    if (answer <= open) continue
    segments += 1
    open = answer + gather
  }
  return segments
}

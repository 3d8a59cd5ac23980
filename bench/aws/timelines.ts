import { createRandom } from '../../shared/random/random.ts'
import { segmentsOf } from '../cost/episode-time.ts'
import { given } from './given.ts'

/** An episode on paper: its waves of calls, each with how long it takes and what it leaves. */
export interface Timeline {
  /** Of each wave: seconds of its slowest answer. */
  waves: number[]
  /** Of each wave: its calls. */
  calls: number[]
  /** Segments of the journal that its answers fill. */
  segments: number
}

/** How many episodes are drawn; longer runs play them again and again. */
const drawn = 1000

/**
 * Draws episodes whose waves have as many calls as the measured ones, from a model with this mean latency.
 *
 * @param counts how many calls each wave has, of the episodes that were counted
 * @param gather seconds for which answers wait for others of their wave
 */
export function drawTimelines(counts: readonly number[][], mean: number, gather: number): Timeline[] {
  const random = createRandom(1)
  const least = given.leastShare * mean
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

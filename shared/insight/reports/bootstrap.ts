import { createRandom } from '../../core/random/random.ts'
import type { Cluster } from './estimate.ts'

const resamples = 10_000
const seed = 20_211_007

/**
 * Drawing takes time in proportion to the tasks, about two seconds for this many; with more, Student's t hardly
 * differs.
 */
export const mostBootstrapTasks = 4000

/**
 * The percentile bootstrap interval of a mean over episodes, clustered by task. It draws all tasks with replacement
 * 10,000 times, each with all its episodes, and the interval holds the middle 95 % of the means (Efron & Tibshirani
 * 1993, "An Introduction to the Bootstrap", section 13.3; quantiles by linear interpolation, as in NumPy and SciPy).
 * Seeded: the same clusters in the same order have the same interval.
 * @param tail the share of the means beyond each bound
 */
export function bootstrapInterval(
  clusters: readonly Cluster[],
  tail: number,
): { lower: number; upper: number } {
  const tasks = clusters.length
  const counts = Float64Array.from(clusters, ({ count }) => count)
  const sums = Float64Array.from(clusters, ({ sum }) => sum)
  const random = createRandom(seed)
  const means = new Float64Array(resamples)
  for (let resample = 0; resample < resamples; resample += 1) {
    let count = 0
    let sum = 0
    for (let drawn = 0; drawn < tasks; drawn += 1) {
      const index = Math.floor(random() * tasks)
      count += counts[index] as number
      sum += sums[index] as number
    }
    means[resample] = sum / count
  }
  means.sort()
  return { lower: quantile(means, tail), upper: quantile(means, 1 - tail) }
}

function quantile(sorted: Float64Array, probability: number): number {
  const position = (sorted.length - 1) * probability
  const below = Math.floor(position)
  const low = sorted[below] as number
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number
  return low + (position - below) * (high - low)
}

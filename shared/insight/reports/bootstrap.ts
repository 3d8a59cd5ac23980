import { setImmediate } from 'node:timers/promises'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { IntervalKind } from '../../core/contracts/report.ts'
import { createRandom } from '../../core/random/random.ts'
import type { Cluster } from './estimate.ts'

const resamples = 10_000
const seed = 20_211_007

/** Tasks of the different intervals of one answer together. A core draws this many in two to nine seconds. */
export const mostBootstrapTasks = 100_000

// An interval of fewer tasks takes as long as one of this many, because its means must be sorted.
const fewestCharged = 20

const inputsAtOnce = 16
const drawsAtOnce = 4_000_000

export type IntervalMethod = 't' | Bootstrap

type Bounds = { lower: number; upper: number }

/**
 * Builds figures with their intervals. A bootstrap builds them twice: the first time finds the different inputs, each
 * of which it then draws once, with pauses for the other work of the process.
 * @throws EspalierError `invalid_request` for a bootstrap over more tasks than can be drawn within the time of a
 * request
 */
export async function withIntervals<Figures>(
  interval: IntervalKind,
  build: (method: IntervalMethod) => Figures,
): Promise<Figures> {
  if (interval === 't') return build('t')
  const bootstrap = new Bootstrap()
  build(bootstrap)
  await bootstrap.draw()
  return build(bootstrap)
}

const notDrawn: Bounds = { lower: Number.NaN, upper: Number.NaN }

interface DrawnInput {
  clusters: readonly Cluster[]
  tail: number
  bounds: Bounds
}

class Bootstrap {
  readonly #inputs = new Map<string, DrawnInput>()
  #tasks = 0

  bounds(clusters: readonly Cluster[], tail: number): Bounds {
    const key = [tail, ...clusters.flatMap(({ count, sum }) => [count, sum])].join()
    const known = this.#inputs.get(key)
    if (known !== undefined) return known.bounds
    this.#tasks += Math.max(clusters.length, fewestCharged)
    if (this.#tasks > mostBootstrapTasks) throw tooManyTasks()
    this.#inputs.set(key, { clusters, tail, bounds: notDrawn })
    return notDrawn
  }

  async draw(): Promise<void> {
    for (const [tasks, inputs] of Map.groupBy(this.#inputs.values(), ({ clusters }) => clusters.length)) {
      for (let at = 0; at < inputs.length; at += inputsAtOnce) {
        await drawBounds(tasks, inputs.slice(at, at + inputsAtOnce))
      }
    }
  }
}

function tooManyTasks(): EspalierError {
  return new EspalierError(
    'invalid_request',
    `This bootstrap takes too long: its different intervals have more than ${mostBootstrapTasks} tasks in all. Take the interval t, which hardly differs with so many tasks.`,
    { param: 'interval' },
  )
}

/**
 * The percentile bootstrap intervals of means over episodes, clustered by task. It draws all tasks with replacement
 * 10,000 times, each with all its episodes, and an interval holds the middle 95 % of the means (Efron & Tibshirani
 * 1993, "An Introduction to the Bootstrap", section 13.3; quantiles by linear interpolation, as in NumPy and SciPy).
 * Seeded: the same clusters in the same order have the same interval, beside any other inputs.
 * @param tasks the number of clusters of each input
 */
async function drawBounds(tasks: number, inputs: readonly DrawnInput[]): Promise<void> {
  const random = createRandom(seed)
  const drawn = new Uint32Array(tasks)
  const columns = inputs.map(({ clusters }) => ({
    counts: Float64Array.from(clusters, ({ count }) => count),
    sums: Float64Array.from(clusters, ({ sum }) => sum),
    means: new Float64Array(resamples),
  }))
  let draws = 0
  for (let resample = 0; resample < resamples; resample += 1) {
    for (let at = 0; at < tasks; at += 1) drawn[at] = Math.floor(random() * tasks)
    for (const { counts, means, sums } of columns) means[resample] = meanOfDrawn(drawn, counts, sums)
    draws += tasks * inputs.length
    if (draws < drawsAtOnce) continue
    draws = 0
    await setImmediate()
  }
  for (const [at, { means }] of columns.entries()) {
    means.sort()
    const input = inputs[at] as DrawnInput
    input.bounds = { lower: quantile(means, input.tail), upper: quantile(means, 1 - input.tail) }
  }
  await setImmediate()
}

function meanOfDrawn(drawn: Uint32Array, counts: Float64Array, sums: Float64Array): number {
  let count = 0
  let sum = 0
  for (const index of drawn) {
    count += counts[index] as number
    sum += sums[index] as number
  }
  return sum / count
}

function quantile(sorted: Float64Array, probability: number): number {
  const position = (sorted.length - 1) * probability
  const below = Math.floor(position)
  const low = sorted[below] as number
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number
  return low + (position - below) * (high - low)
}

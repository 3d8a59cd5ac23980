import jstat from 'jstat'
import type { Estimate } from '../../core/contracts/report.ts'
import { roundingShare } from '../../data/datasets/kinds/compare-values.ts'
import type { IntervalMethod } from './bootstrap.ts'

export interface Cluster {
  count: number
  sum: number
}

const level = 0.95
const tail = (1 - level) / 2

type StudentMethod = 'clustered-t' | 'paired-t'

export const noEstimate: Estimate = { mean: null, stderr: null, ci: null, count: 0, tasks: 0 }

/**
 * The mean over episodes, its standard error clustered by task, and the t interval with tasks − 1 degrees of freedom.
 * Standard error: Miller 2024, "Adding Error Bars to Evals" (arXiv 2411.00640), clustered standard errors, √(Σ_tasks
 * (Σ_episodes (s − s̄))²) / n, times √(T / (T − 1)) for T tasks, the factor for few clusters of Cameron & Miller
 * 2015, "A Practitioner's Guide to Cluster-Robust Inference" (Inspect's `stderr(cluster=…)` is the same). With one
 * episode per task it is the ordinary s/√n; with equally many it is that of the task means. The interval is null
 * below two tasks, and without any spread, because it would then claim to be certain.
 * @param interval a bootstrap replaces the t interval; the standard error stays
 */
export function estimateMean(clusters: Iterable<Cluster>, interval: IntervalMethod = 't'): Estimate {
  return estimate([...clusters], interval, 'clustered-t')
}

/**
 * The mean of rewards, like {@link estimateMean}. If every task's mean lies within 0 and 1, as rewards here do, so
 * does the interval.
 */
export function estimateReward(clusters: Iterable<Cluster>, interval: IntervalMethod = 't'): Estimate {
  const counted = [...clusters]
  const isShare = counted.every(({ count, sum }) => sum >= 0 && sum <= count)
  const found = estimateMean(counted, interval)
  return isShare ? within(found, 0, 1) : found
}

/**
 * The share of successes, each cluster's `sum` being its successes. With one episode per task: the score interval of
 * Wilson 1927, "Probable Inference, the Law of Succession, and Statistical Inference" (JASA 22:209–212), which holds
 * also if all or none succeed. With more: the clustered t interval within 0 and 1; if its spread is nil, Wilson's
 * with every task counted once, which is the wider reading.
 * @param interval a bootstrap replaces both, except if the spread is nil
 */
export function estimateRate(clusters: Iterable<Cluster>, interval: IntervalMethod = 't'): Estimate {
  const counted = [...clusters].filter((cluster) => cluster.count > 0)
  const clustered = estimateMean(counted, interval)
  if (clustered.mean === null || clustered.tasks < 2) return clustered
  const isWilson = interval === 't' && counted.every((cluster) => cluster.count === 1)
  if (clustered.stderr === 0 || isWilson) {
    return { ...clustered, ci: wilson(clustered.mean, clustered.tasks) }
  }
  return within(clustered, 0, 1)
}

/**
 * The mean of differences between two runs, one for each task both played, with a paired t interval (Miller 2024,
 * paired differences). A task's contribution to both runs cancels out, so this is narrower than the two runs' own
 * intervals suggest. `count` is the number of pairs.
 */
export function estimateDifference(differences: Iterable<number>, interval: IntervalMethod = 't'): Estimate {
  const clusters = Array.from(differences, (sum) => ({ count: 1, sum }))
  return estimate(clusters, interval, 'paired-t')
}

/**
 * The mean over tasks of a share of each, such as pass@k, each task weighing the same. If every share is 0 or 1 it is
 * a rate of tasks, with its interval.
 */
export function estimateShare(shares: readonly number[], interval: IntervalMethod = 't'): Estimate {
  const clusters = shares.map((sum) => ({ count: 1, sum }))
  const isRate = shares.every((share) => share === 0 || share === 1)
  return isRate ? estimateRate(clusters, interval) : estimateReward(clusters, interval)
}

export function within(value: Estimate, least: number, greatest: number): Estimate {
  if (value.ci === null) return value
  const lower = Math.max(least, value.ci.lower)
  const upper = Math.min(greatest, value.ci.upper)
  return { ...value, ci: { ...value.ci, lower, upper } }
}

function estimate(unordered: Cluster[], interval: IntervalMethod, student: StudentMethod): Estimate {
  // Sums of the same numbers in another order differ in their last bits.
  const clusters = unordered
    .filter((cluster) => cluster.count > 0)
    .toSorted((left, right) => left.sum - right.sum || left.count - right.count)
  const tasks = clusters.length
  let count = 0
  let sum = 0
  let magnitude = 0
  for (const cluster of clusters) {
    count += cluster.count
    sum += cluster.sum
    magnitude += Math.abs(cluster.sum)
  }
  if (tasks === 0) return noEstimate
  const mean = sum / count
  if (tasks === 1) return { mean, stderr: null, ci: null, count, tasks }

  let squares = 0
  for (const cluster of clusters) squares += (cluster.sum - cluster.count * mean) ** 2
  if (!Number.isFinite(squares) && clusters.every((cluster) => Number.isFinite(cluster.sum)))
    return estimateHuge(clusters, interval, student)
  const stderr = Math.sqrt((squares * tasks) / (tasks - 1)) / count
  if (stderr <= (roundingShare * magnitude) / count) return { mean, stderr: 0, ci: null, count, tasks }

  if (interval !== 't') {
    const bounds = interval.bounds(clusters, tail)
    return { mean, stderr, ci: { ...bounds, level, method: 'bootstrap-percentile' }, count, tasks }
  }
  const reach = stderr * jstat.studentt.inv(1 - tail, tasks - 1)
  return {
    mean,
    stderr,
    ci: { lower: mean - reach, upper: mean + reach, level, method: student },
    count,
    tasks,
  }
}

const hugeScale = 2 ** 600

/** Sums whose squares are no finite doubles: their estimate on a smaller scale, as far as doubles go. */
function estimateHuge(
  clusters: readonly Cluster[],
  interval: IntervalMethod,
  student: StudentMethod,
): Estimate {
  const scaled = clusters.map(({ count, sum }) => ({ count, sum: sum / hugeScale }))
  const { mean, stderr, ci, ...counts } = estimate(scaled, interval, student)
  const rescale = (value: number) =>
    Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value * hugeScale))
  return {
    ...counts,
    mean: mean === null ? null : rescale(mean),
    stderr: stderr === null ? null : rescale(stderr),
    ci: ci && { ...ci, lower: rescale(ci.lower), upper: rescale(ci.upper) },
  }
}

function wilson(share: number, count: number): NonNullable<Estimate['ci']> {
  const square = jstat.normal.inv(1 - tail, 0, 1) ** 2
  const middle = (share + square / (2 * count)) / (1 + square / count)
  const reach =
    Math.sqrt((square * share * (1 - share)) / count + (square / (2 * count)) ** 2) / (1 + square / count)
  return {
    lower: Math.max(0, Math.min(share, middle - reach)),
    upper: Math.min(1, Math.max(share, middle + reach)),
    level,
    method: 'wilson',
  }
}

/**
 * The mean of independent estimates, each weighing the same. Its variance is the sum of theirs divided by the square
 * of their number, and its interval that of the normal distribution, within 0 and 1. There is none if an estimate has
 * no spread, which is then unknown.
 * @param estimates at least one, all of shares
 */
export function averageEstimates(estimates: readonly Estimate[]): Estimate {
  const [only] = estimates
  if (estimates.length === 1 && only !== undefined) return only
  const count = estimates.reduce((sum, each) => sum + each.count, 0)
  const tasks = estimates.reduce((sum, each) => sum + each.tasks, 0)
  if (estimates.length === 0 || estimates.some(({ mean }) => mean === null))
    return { ...noEstimate, count, tasks }
  const mean = estimates.reduce((sum, each) => sum + (each.mean ?? 0), 0) / estimates.length
  if (estimates.some(({ stderr }) => stderr === null)) return { mean, stderr: null, ci: null, count, tasks }
  const squares = estimates.reduce((sum, { stderr }) => sum + (stderr ?? 0) ** 2, 0)
  const stderr = Math.sqrt(squares) / estimates.length
  if (estimates.some((each) => each.stderr === 0)) return { mean, stderr, ci: null, count, tasks }
  const reach = stderr * jstat.normal.inv(1 - tail, 0, 1)
  const ci = { lower: mean - reach, upper: mean + reach, level, method: 'normal' } as const
  return within({ mean, stderr, ci, count, tasks }, 0, 1)
}

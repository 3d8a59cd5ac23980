import type { ComparedRun, Estimate } from '../../core/contracts/report.ts'
import { roundingShare } from '../../data/datasets/kinds/compare-values.ts'
import type { IntervalMethod } from './bootstrap.ts'
import { estimateDifference, noEstimate, within } from './estimate.ts'
import type { TaskTally } from './task-tally.ts'

type Difference = NonNullable<ComparedRun['difference']>

const tasksListed = 100

/**
 * The differences of a run to the baseline, task by task. Both lists hold the same tasks in the same order, each with
 * an episode that has a reward.
 */
export function differ(
  tallies: readonly TaskTally[],
  baseline: readonly TaskTally[],
  interval: IntervalMethod,
): Difference {
  const pairs = tallies.map((tally, index) => differInTask(tally, baseline[index] as TaskTally))
  const estimate = (of: (pair: TaskDifference) => number): Estimate =>
    estimateDifference(pairs.map(of), interval)
  const reward = estimate((pair) => pair.reward)
  const areShares = [...tallies, ...baseline].every((each) => each.reward >= 0 && each.reward <= each.scored)
  const { sign_test, success_rate } = differInSuccess(tallies, baseline, interval)
  const won = pairs.filter(({ sign }) => sign > 0)
  const lost = pairs.filter(({ sign }) => sign < 0)
  return {
    success_rate,
    reward: areShares ? within(reward, -1, 1) : reward,
    mean_model_calls: estimate(({ calls }) => calls),
    mean_tokens: estimate(({ tokens }) => tokens),
    mean_cost: pairs.some(({ cost }) => cost === null) ? noEstimate : estimate(({ cost }) => cost ?? 0),
    won: won.length,
    lost: lost.length,
    tied: pairs.length - won.length - lost.length,
    won_tasks: won.slice(0, tasksListed).map(({ task }) => task),
    lost_tasks: lost.slice(0, tasksListed).map(({ task }) => task),
    sign_test,
  }
}

export function differInSuccess(
  tallies: readonly TaskTally[],
  baseline: readonly TaskTally[],
  interval: IntervalMethod,
): Pick<Difference, 'success_rate' | 'sign_test'> {
  const differences = tallies.map((tally, index) => successDifference(tally, baseline[index] as TaskTally))
  const better = differences.filter((each) => each > 0).length
  const worse = differences.filter((each) => each < 0).length
  return {
    success_rate: within(estimateDifference(differences, interval), -1, 1),
    sign_test: { better, worse, p_value: signTest(better, worse) },
  }
}

function successDifference(tally: TaskTally, other: TaskTally): number {
  return tally.successes / tally.scored - other.successes / other.scored
}

interface TaskDifference {
  task: string
  reward: number
  calls: number
  tokens: number
  cost: number | null
  sign: number
}

function differInTask(tally: TaskTally, other: TaskTally): TaskDifference {
  const reward = tally.reward / tally.scored - other.reward / other.scored
  const [one, two] = [perEpisode(tally), perEpisode(other)]
  return {
    task: tally.task,
    reward,
    calls: one.calls - two.calls,
    tokens: one.tokens - two.tokens,
    cost: one.cost === null || two.cost === null ? null : one.cost - two.cost,
    sign:
      Math.sign(successDifference(tally, other)) ||
      (Math.abs(reward) > roundingShare ? Math.sign(reward) : 0),
  }
}

function perEpisode({ played: { episodes, usage } }: TaskTally) {
  return {
    calls: usage.model_calls / episodes,
    tokens: (usage.input_tokens + usage.output_tokens) / episodes,
    cost: usage.cost === null ? null : usage.cost / episodes,
  }
}

/**
 * The two-sided p-value of the exact sign test: the probability of a split of the tasks at least as uneven as this
 * one, if each task on which the runs differ were as likely to be won as lost. Ties are left out (Dixon & Mood 1946,
 * "The Statistical Sign Test", JASA 41:557–566). If each run played each task once, tasks won and lost are the
 * discordant pairs of successes, and this is the exact test of McNemar 1947 ("Note on the Sampling Error of the
 * Difference Between Correlated Proportions", Psychometrika 12:153–157).
 * @returns null if the runs differ on no task
 */
export function signTest(won: number, lost: number): number | null {
  const count = won + lost
  if (count === 0) return null
  // Terms of the binomial distribution with p = 1/2, as logarithms: those of a thousand tasks are below any double.
  let logarithm = -count * Math.LN2
  let tail = 0
  for (let index = 0; index <= Math.min(won, lost); index += 1) {
    tail += Math.exp(logarithm)
    logarithm += Math.log((count - index) / (index + 1))
  }
  return Math.min(1, 2 * tail)
}

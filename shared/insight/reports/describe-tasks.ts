import type { Figures } from '../../core/contracts/report.ts'
import type { IntervalMethod } from './bootstrap.ts'
import { estimateRate, estimateReward, estimateShare } from './estimate.ts'
import { addEffort, noEffort, rewardClusters, successClusters, type TaskTally } from './task-tally.ts'

/**
 * The figures of a set of tasks: estimates with their intervals, clustered by task, and the mean efforts of an
 * episode. `mean_cost` is null if a price is missing, and every mean if nothing was played.
 */
export function describeTasks(tasks: readonly TaskTally[], interval: IntervalMethod): Figures {
  const episodes = tasks.reduce((sum, { played }) => sum + played.episodes, 0)
  const effort = tasks.reduce((sum, { played }) => addEffort(sum, played), noEffort)
  const { usage } = effort
  const mean = (sum: number | null): number | null => (episodes === 0 || sum === null ? null : sum / episodes)
  const estimate = (field: 'progress' | 'grounding' | 'validity') =>
    estimateReward(
      tasks.map((tally) => tally[field]),
      interval,
    )
  return {
    success_rate: estimateRate(successClusters(tasks), interval),
    reward: estimateReward(rewardClusters(tasks), interval),
    progress_rate: estimate('progress'),
    grounding_accuracy: estimate('grounding'),
    draws: describeDraws(tasks, interval),
    invalid_actions: {
      count: tasks.reduce((sum, { validity }) => sum + validity.sum, 0),
      share: estimate('validity'),
    },
    mean_steps: mean(effort.steps),
    mean_path_length: mean(effort.path_length),
    mean_primitive_steps: mean(effort.primitive_steps),
    mean_nodes: mean(effort.nodes),
    mean_model_calls: mean(usage.model_calls),
    mean_tokens: mean(usage.input_tokens + usage.output_tokens),
    mean_cached_tokens: mean(usage.cached_tokens ?? 0),
    mean_reasoning_tokens: mean(usage.reasoning_tokens ?? 0),
    mean_cost: mean(usage.cost),
    mean_working_seconds: mean(effort.working_seconds),
  }
}

function describeDraws(tasks: readonly TaskTally[], interval: IntervalMethod): Figures['draws'] {
  const scored = tasks
    .filter((task) => task.scored > 0)
    .map(({ scored: episodes, rewards, successes }) => ({ episodes, rewards, successes }))
  const fewest = scored.reduce((least, { episodes }) => Math.min(least, episodes), Number.POSITIVE_INFINITY)
  const draws = scored.length === 0 ? [] : drawsUpTo(fewest)
  return draws.map((k) => ({
    k,
    pass_at_k: estimateShare(
      scored.map((attempts) => passAtK(attempts, k)),
      interval,
    ),
    pass_hat_k: estimateShare(
      scored.map((attempts) => passHatK(attempts, k)),
      interval,
    ),
    best_of_k: estimateReward(
      scored.map(({ rewards }) => ({ count: 1, sum: bestOfK(rewards, k) })),
      interval,
    ),
  }))
}

interface AttemptCounts {
  episodes: number
  successes: number
}

/**
 * The unbiased chance that at least one of `k` episodes succeeds: 1 − C(n−c, k) / C(n, k) for `c` successes among `n`
 * episodes, of which `k` are drawn without replacement. Chen et al. 2021, "Evaluating Large Language Models Trained
 * on Code" (arXiv 2107.03374), equation 1, computed as the product of its figure 3, in which no number gets large.
 * @example
 * passAtK({ episodes: 5, successes: 2 }, 2) // 0.7
 */
export function passAtK({ episodes, successes }: AttemptCounts, k: number): number {
  checkDraw(episodes, k)
  if (episodes - successes < k) return 1
  let missed = 1
  for (let index = episodes - successes + 1; index <= episodes; index += 1) missed *= 1 - k / index
  return 1 - missed
}

/**
 * The unbiased chance that `k` episodes all succeed: C(c, k) / C(n, k). pass^k of Yao et al. 2024, "τ-bench: A
 * Benchmark for Tool-Agent-User Interaction in Real-World Domains" (arXiv 2406.12045), section 3. It measures an
 * agent's reliability, and pass@k its luck.
 */
export function passHatK({ episodes, successes }: AttemptCounts, k: number): number {
  checkDraw(episodes, k)
  let all = 1
  for (let index = 0; index < k && all > 0; index += 1) all *= (successes - index) / (episodes - index)
  return Math.max(0, all)
}

/**
 * The unbiased mean of the best reward of `k` episodes, drawn without replacement: that the best is at most `r` has the
 * chance C(m, k) / C(n, k), for `m` of `n` episodes with at most `r`. Of rewards 0 and 1 it is pass@k.
 * @see Song et al. 2024, ETO (arXiv 2403.02502), the baseline Best-of-N, which takes the best reward of 10
 */
export function bestOfK(rewards: ReadonlyMap<number, number>, k: number): number {
  const counts = [...rewards].toSorted(([left], [right]) => left - right)
  const episodes = counts.reduce((sum, [, count]) => sum + count, 0)
  let best = 0
  let successes = 0
  let before = 0
  for (const [reward, count] of counts) {
    successes += count
    const within = passHatK({ episodes, successes }, k)
    best += reward * (within - before)
    before = within
  }
  return best
}

export function drawsUpTo(episodes: number): number[] {
  const draws: number[] = []
  for (let k = 1; k < episodes; k *= 2) draws.push(k)
  return episodes > 0 ? [...draws, episodes] : []
}

function checkDraw(episodes: number, k: number): void {
  if (!Number.isInteger(k) || k < 1 || k > episodes) {
    throw new RangeError(`Of ${episodes} episodes, 1 to ${episodes} can be drawn, not ${k}.`)
  }
}

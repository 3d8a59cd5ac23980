import type { Figures, IntervalKind } from '../../core/contracts/report.ts'
import { estimateRate, estimateReward, estimateShare } from './estimate.ts'
import { drawsUpTo, passAtK, passHatK } from './pass-at-k.ts'
import { addEffort, noEffort, rewardClusters, successClusters, type TaskTally } from './task-tally.ts'

/**
 * The figures of a set of tasks: estimates with their intervals, clustered by task, and the mean efforts of an
 * episode. `mean_cost` is null if a price is missing, and every mean if nothing was played.
 */
export function describeTasks(tasks: readonly TaskTally[], interval: IntervalKind): Figures {
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

/** Each task weighs the same, however many of its episodes have a reward. */
function describeDraws(tasks: readonly TaskTally[], interval: IntervalKind): Figures['draws'] {
  const scored = tasks
    .filter((task) => task.scored > 0)
    .map(({ scored: episodes, successes }) => ({ episodes, successes }))
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
  }))
}

import type { ComparedRun } from '../../core/contracts/report.ts'
import type { Usage } from '../../core/contracts/usage.ts'
import type { IntervalMethod } from './bootstrap.ts'
import { type Cluster, estimateMean, estimateRate, estimateReward, noEstimate } from './estimate.ts'
import { addEffort, noEffort, rewardClusters, successClusters, type TaskTally } from './task-tally.ts'

export type TalliesSummary = Pick<
  ComparedRun,
  | 'success_rate'
  | 'reward'
  | 'usage'
  | 'mean_steps'
  | 'mean_path_length'
  | 'mean_model_calls'
  | 'mean_tokens'
  | 'mean_cost'
  | 'cost_per_success'
>

export function summarizeTallies(
  tallies: readonly TaskTally[],
  interval: IntervalMethod = 't',
): TalliesSummary {
  const episodes = tallies.reduce((sum, { played }) => sum + played.episodes, 0)
  const played = tallies.reduce((sum, { played }) => addEffort(sum, played), noEffort)
  const { usage } = tallies.reduce((sum, { spent }) => addEffort(sum, spent), noEffort)
  const successes = tallies.reduce((sum, tally) => sum + tally.successes, 0)
  const estimatePlayed = (of: (usage: Usage) => number) =>
    estimateMean(
      tallies.map(({ played }): Cluster => ({ count: played.episodes, sum: of(played.usage) })),
      interval,
    )
  return {
    success_rate: estimateRate(successClusters(tallies), interval),
    reward: estimateReward(rewardClusters(tallies), interval),
    usage,
    mean_steps: episodes === 0 ? null : played.steps / episodes,
    mean_path_length: episodes === 0 ? null : played.path_length / episodes,
    mean_model_calls: estimatePlayed(({ model_calls }) => model_calls),
    mean_tokens: estimatePlayed(({ input_tokens, output_tokens }) => input_tokens + output_tokens),
    mean_cost: played.usage.cost === null ? noEstimate : estimatePlayed(({ cost }) => cost ?? 0),
    cost_per_success: usage.cost === null || successes === 0 ? null : usage.cost / successes,
  }
}

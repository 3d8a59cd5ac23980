import { z } from 'zod'
import { refuseIdle } from '../../../core/contracts/idle-parameters.ts'
import { agentParameters } from '../agent-parameters.ts'
import { countCalls, type Effort, type EffortBounds, longestCalls, scaleCalls } from '../effort.ts'
import { puctParameters } from '../puct-parameters.ts'
import { parallelParameter } from '../search-parameters.ts'
import { pauseParameter } from '../turn-actions.ts'
import { rolloutDepth } from './rollouts.ts'

export const rolloutSchema = z.strictObject({
  value: z.literal('none').default('none'),
  iterations: z.int().min(1).max(100_000).default(8).describe('Number of descents from the root.'),
  samples: z.int().min(1).max(256).default(4).describe('Number of answers sampled at each expanded node.'),
  max_depth: z
    .int()
    .min(0)
    .max(1000)
    .nullable()
    .optional()
    .describe(
      'Nodes below this depth are leaves, so that the longest path has one action more. Default, also for null: the task’s maximum trajectory length, less one.',
    ),
  exploration: z
    .number()
    .min(0)
    .max(100)
    .default(0.25)
    .describe('The constant of the exploration term of UCB1.'),
  parallel: parallelParameter,
  ...agentParameters,
  ...pauseParameter,
})

export const valuedSchema = z
  .strictObject({
    value: z
      .enum(['reward', 'judge', 'debate', 'single-debate', 'endpoint'], {
        error: 'must be "none", "judge", "debate", "single-debate", "endpoint" or "reward"',
      })
      .describe(
        'Source of state values: a judge, a debate, one judge that argues both sides, an endpoint with a trained model, or the environment’s own reward, an oracle.',
      ),
    ...puctParameters,
  })
  .check(refuseIdle)

export type RolloutParameters = z.infer<typeof rolloutSchema>
export type ValuedParameters = z.infer<typeof valuedSchema>

/**
 * Share of the possible calls that a search usually makes; the simulated model took 0.56 to 0.96 of them in
 * the example environment.
 */
const usualShare = 3 / 4

export function rolloutEffort(
  { iterations, samples, max_depth, parallel }: RolloutParameters,
  { steps, max_steps }: EffortBounds,
): Effort {
  const depth = rolloutDepth(max_depth, max_steps)
  // A descent expands at most one node of each depth, and there are no more nodes than samples create.
  const all = Array.from(
    { length: depth + 1 },
    (_, at) => samples * Math.min(at === 0 ? 1 : iterations, samples ** at),
  )
  const at_most = longestCalls(all, samples * steps)
  const likely = Math.min(usualShare * countCalls(all), Math.max(steps, samples))
  return {
    expected: scaleCalls(all, likely / countCalls(all)),
    at_most,
    side_by_side: samples * parallel,
    reason: 'three quarters of the calls that the search can make',
  }
}

import { z } from 'zod'
import { refuseIdle } from '../../../core/contracts/idle-parameters.ts'
import { withRestoreRule } from '../../search/restore-action.ts'
import type { SearchNode } from '../../search/tree.ts'
import { createValueFunction } from '../../search/values/create-value-function.ts'
import { agentParameters } from '../agent-parameters.ts'
import { callsAt, type Effort, type EffortBounds, scaleCalls } from '../effort.ts'
import { type Method, maxStepsHorizon } from '../method.ts'
import { playSideBySide, singlePathEffort } from '../play-paths.ts'
import { renderAgentPrompt } from '../prompts/agent-prompt.ts'
import { agentSchema, agents, agentTemplates } from '../prompts/agents.ts'
import {
  derivedOfValue,
  maxStepsParameter,
  rolesOfValue,
  stopParameters,
  valueParameters,
} from '../search-parameters.ts'
import { searchPrompts } from '../search-prompts.ts'
import { turnActionParameters } from '../turn-actions.ts'
import { valuedSideBySide, valueEffort } from '../value-effort.ts'

const parameters = z
  .strictObject({
    attempts: z.int().min(1).max(1000).default(5).describe('Maximum number of trajectories.'),
    parallel: z
      .int()
      .min(1)
      .max(256)
      .optional()
      .describe('Number of trajectories to play in parallel. Default: all.'),
    agent: agentSchema.default('react'),
    value: z
      .enum(['judge', 'debate', 'single-debate', 'endpoint'])
      .default('judge')
      .describe(
        'Source of the value of a trajectory’s end: a judge, a debate, or an endpoint with a trained model.',
      ),
    ...valueParameters,
    max_steps: maxStepsParameter,
    ...agentParameters,
    ...turnActionParameters,
    ...stopParameters,
  })
  .check(refuseIdle)

type BestOfNParameters = z.infer<typeof parameters>

/**
 * Best of n: plays whole trajectories from the start and chooses one by a value function, which never sees the
 * reward. For ExACT's `rjn_sampling`, which chooses by the reward, see pass@k in the report of a run of several
 * epochs.
 */
export const bestOfN: Method<BestOfNParameters> = {
  id: 'best-of-n',
  description:
    'Plays several trajectories and keeps the one that a judge values most, without seeing its reward.',
  source:
    'Yu et al. 2024, ExACT (arXiv 2410.02052), its code for desktops: `best_of_n`, with the value function that it means to ask',
  parameters,
  prompts: [...new Set([...searchPrompts, ...agentTemplates])],
  branches: true,
  horizon: () => maxStepsHorizon,
  derived: ({ attempts, value }) => ({ parallel: attempts, ...derivedOfValue(value) }),
  extendable: ({ attempts, parallel }) => (parallel && attempts % parallel === 0 ? ['attempts'] : []),
  answer: () => 'committed',
  system: ({ agent, restore_action }, ...parts) =>
    withRestoreRule(renderAgentPrompt(agents[agent], ...parts), restore_action),
  turnActions: (parameters) => parameters,
  roles: ({ value }) => rolesOfValue(value),
  effort: bestOfNEffort,
  async play(scope, { attempts, parallel = attempts, max_steps = scope.defaultMaxSteps, ...settings }) {
    const values = createValueFunction(scope, settings)
    let best: { end: SearchNode; value: number } | null = null
    for (let first = 0; first < attempts && best?.value !== 1; first += parallel) {
      const wave = Array.from({ length: Math.min(parallel, attempts - first) }, (_, place) => ({
        from: scope.tree.root,
        key: `attempt/${first + place}`,
        maxSteps: max_steps,
        rules: settings,
      }))
      const ends = await playSideBySide(scope, wave)
      const valued = await Promise.all(ends.map((end) => values.valueOf(end)))
      for (const [place, end] of ends.entries()) {
        const value = valued[place] as number
        scope.backUp(end, value)
        if (best === null || value > best.value) best = { end, value }
      }
      if (best) scope.commit(best.end)
    }
  },
}

function bestOfNEffort(given: BestOfNParameters, bounds: EffortBounds): Effort {
  const { attempts, parallel = attempts, value } = given
  const { expected, at_most, ...one } = singlePathEffort(given, bounds)
  const ends = (calls: readonly number[]) => callsAt(calls.length, attempts)
  return {
    ...one,
    expected: scaleCalls(expected, attempts),
    at_most: scaleCalls(at_most, attempts),
    others: valueEffort(given, { expected: ends(expected), at_most: ends(at_most) }),
    side_by_side: parallel * Math.max(1, valuedSideBySide(value)),
  }
}

import { z } from 'zod'
import { commitByFrontier, type FrontierSettings } from '../search/frontier-search.ts'
import { usualProposals } from '../search/proposals.ts'
import type { SearchScope } from '../search/search-scope.ts'
import { createValueFunction } from '../search/values/create-value-function.ts'
import { noAdvice } from '../search/values/value-function.ts'
import { agentParameters } from './agent-parameters.ts'
import {
  addCalls,
  callsAt,
  countCalls,
  deepestGrowth,
  type Effort,
  type EffortBounds,
  longestCalls,
  spreadCalls,
} from './effort.ts'
import { type Method, maxStepsHorizon } from './method.ts'
import { renderAgentPrompt } from './prompts/agent-prompt.ts'
import { reactPrompt } from './prompts/react-prompt.ts'
import {
  derivedOfSearch,
  exactStopParameters,
  maxStepsParameter,
  parallelParameter,
  proposalParameters,
  rolesOfValue,
  timeBudgetParameter,
  valueParameters,
} from './search-parameters.ts'
import { searchPrompts } from './search-prompts.ts'
import { pauseParameter } from './turn-actions.ts'
import { valuedSideBySide, valueEffort } from './value-effort.ts'

export const frontierParameters = {
  value: z
    .enum(['judge', 'debate', 'single-debate', 'endpoint', 'reward'])
    .default('judge')
    .describe('Source of state values. `reward` is an oracle: the environment’s own reward.'),
  budget: z.int().min(1).max(100_000).default(20).describe('Number of actions that each look-ahead tries.'),
  max_depth: z
    .int()
    .min(0)
    .max(1000)
    .default(4)
    .describe(
      'Maximum depth, in actions from the start of a look-ahead, at which it still proposes actions.',
    ),
  time_budget: timeBudgetParameter,
  max_steps: maxStepsParameter,
  ...pauseParameter,
  parallel: parallelParameter,
  ...proposalParameters,
  ...valueParameters,
  ...agentParameters,
  ...exactStopParameters,
}

const schema = z.strictObject(frontierParameters)

type FrontierParameters = z.infer<typeof schema>

export const frontierMethod = {
  prompts: searchPrompts,
  branches: true,
  horizon: () => maxStepsHorizon,
  derived: derivedOfSearch,
  extendable: () => [],
  answer: () => 'committed',
  system: (_, ...parts) => renderAgentPrompt(reactPrompt, ...parts),
  turnActions: ({ pause_action }) => ({ pause_action }),
  roles: ({ value }) => rolesOfValue(value),
  effort: frontierEffort,
} satisfies Partial<Method<FrontierParameters>>

function frontierEffort(parameters: FrontierParameters, bounds: EffortBounds): Effort {
  const { budget, max_depth, branching, proposals = usualProposals(branching), parallel, value } = parameters
  const longest = parameters.max_steps ?? bounds.max_steps
  let proposed: number[] = []
  let valued: number[] = []
  // A look-ahead commits at least one action.
  for (let root = 0; root < longest; root += 1) {
    const grow = (deepest: number) => deepestGrowth(root, budget, deepest)
    const grown = grow(Math.min(root + max_depth, longest - 1))
    proposed = addCalls(proposed, addCalls(callsAt(root, 1), grown))
    valued = addCalls(valued, grow(Math.min(root + max_depth + 1, longest)))
  }
  const at_most = longestCalls(proposed, bounds.steps + longest)
  const lookAheads = Math.ceil(longest / 2 / (max_depth + 1))
  const likely = Math.min(countCalls(at_most), lookAheads * (budget + 1))
  const possible = longestCalls(valued, bounds.steps)
  return {
    expected: spreadCalls(longest, likely),
    at_most,
    answers: proposals,
    others: valueEffort(parameters, {
      expected: spreadCalls(longest, Math.min(countCalls(possible), likely)),
      at_most: possible,
    }),
    side_by_side: parallel * Math.max(1, valuedSideBySide(value)),
    reason:
      'look-aheads that go on by as many actions as they look ahead, over half of the longest trajectory',
  }
}

export async function playFrontier(
  scope: SearchScope,
  order: FrontierSettings['order'],
  { max_depth, max_steps = scope.defaultMaxSteps, ...settings }: FrontierParameters,
): Promise<void> {
  const guidance = { values: createValueFunction(scope, settings), advise: noAdvice }
  await commitByFrontier(scope, { ...settings, order, lookAhead: max_depth, maxSteps: max_steps }, guidance)
}

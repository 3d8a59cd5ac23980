import { z } from 'zod'
import type { Json } from '../../../core/contracts/json.ts'
import { createValueFunction } from '../../search/values/create-value-function.ts'
import { noAdvice } from '../../search/values/value-function.ts'
import type { Method } from '../method.ts'
import { renderAgentPrompt } from '../prompts/agent-prompt.ts'
import { reactPrompt } from '../prompts/react-prompt.ts'
import { puctEffort } from '../puct-parameters.ts'
import { derivedOfSearch, rolesOfValue } from '../search-parameters.ts'
import { searchPrompts } from '../search-prompts.ts'
import {
  type RolloutParameters,
  rolloutEffort,
  rolloutSchema,
  type ValuedParameters,
  valuedSchema,
} from './mcts-parameters.ts'
import { puctMethod } from './puct.ts'
import { rollouts } from './rollouts.ts'

export type MctsParameters = RolloutParameters | ValuedParameters

type InternalMethod<Parameters extends object> = Pick<
  Method<Parameters>,
  'parameters' | 'horizon' | 'derived' | 'extendable' | 'answer' | 'effort' | 'play'
>

const byRollouts: InternalMethod<RolloutParameters> = {
  ...rollouts,
  parameters: rolloutSchema,
  effort: rolloutEffort,
}

const byValues: InternalMethod<ValuedParameters> = {
  ...puctMethod,
  parameters: valuedSchema,
  derived: derivedOfSearch,
  effort: puctEffort,
  async play(scope, parameters) {
    const values = createValueFunction(scope, parameters)
    await puctMethod.play(scope, parameters, { values, advise: noAdvice })
  },
}

function methodOf({ value = 'none' }: { value?: Json }): InternalMethod<MctsParameters> {
  return value === 'none' ? byRollouts : byValues
}

export const mcts: Method<MctsParameters> = {
  id: 'mcts',
  description:
    'Monte Carlo tree search: samples several actions at each node, and learns from the rewards of leaves or from a value function.',
  source:
    'value none: Yuan et al. 2025, Agent-R (arXiv 2501.11425), section 3.1; otherwise Yu et al. 2024, ExACT (arXiv 2410.02052)',
  parameters: z.union([rolloutSchema, valuedSchema]),
  variant: (given) => methodOf(given).parameters,
  prompts: searchPrompts,
  branches: true,
  horizon: (parameters) => methodOf(parameters).horizon(parameters),
  derived: (parameters, environment) => methodOf(parameters).derived?.(parameters, environment) ?? {},
  extendable: (parameters) => methodOf(parameters).extendable(parameters),
  answer: (parameters) => methodOf(parameters).answer(parameters),
  system: (_, ...parts) => renderAgentPrompt(reactPrompt, ...parts),
  turnActions: ({ pause_action }) => ({ pause_action }),
  roles: ({ value }) => rolesOfValue(value),
  effort: (parameters, bounds) => methodOf(parameters).effort(parameters, bounds),
  play: (scope, parameters) => methodOf(parameters).play(scope, parameters),
}

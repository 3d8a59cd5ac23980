import { z } from 'zod'
import { refuseIdle } from '../../../core/contracts/idle-parameters.ts'
import { createValueFunction } from '../../search/values/create-value-function.ts'
import { puctMethod } from '../mcts/puct.ts'
import type { Method } from '../method.ts'
import { renderAgentPrompt } from '../prompts/agent-prompt.ts'
import { knowledgePrompts } from '../prompts/knowledge-prompts.ts'
import { reactPrompt } from '../prompts/react-prompt.ts'
import { puctEffort, puctParameters } from '../puct-parameters.ts'
import { derivedOfSearch, rolesOfValue } from '../search-parameters.ts'
import { searchPrompts } from '../search-prompts.ts'
import { createAdvice } from './advice.ts'
import { reflect } from './reflect.ts'
import { reflectionEffort } from './reflection-effort.ts'
import { reflectionParameters } from './reflection-parameters.ts'
import { reflectionPrompts } from './reflection-prompts.ts'

const parameters = z
  .strictObject({
    value: z
      .enum(['judge', 'debate', 'single-debate', 'endpoint', 'reward'])
      .default('judge')
      .describe(
        'Who values a state: a judge, a debate, one judge who debates alone, a trained model, or the environment itself, an oracle.',
      ),
    ...puctParameters,
    ...reflectionParameters,
  })
  .check(refuseIdle)

export type RmctsParameters = z.infer<typeof parameters>

/**
 * Reflective Monte Carlo tree search: mcts whose policy and value function get advice from earlier tasks. At the end
 * of a task it reflects on the most surprising actions.
 */
export const rmcts: Method<RmctsParameters> = {
  id: 'rmcts',
  description:
    'mcts that learns between tasks: it reflects on what surprised it, and finds those reflections again in like situations.',
  source:
    'Yu et al. 2024, ExACT: Teaching AI Agents to Explore with Reflective-MCTS and Exploratory Learning (arXiv 2410.02052), section 3',
  parameters,
  prompts: [...searchPrompts, ...Object.values(reflectionPrompts), knowledgePrompts.advice],
  branches: true,
  horizon: puctMethod.horizon,
  derived: derivedOfSearch,
  extendable: () => [],
  answer: puctMethod.answer,
  system: (_, ...parts) => renderAgentPrompt(reactPrompt, ...parts),
  turnActions: ({ pause_action }) => ({ pause_action }),
  roles: ({ value }) => [...rolesOfValue(value), 'reflection'],
  effort: (given, bounds) => reflectionEffort(puctEffort(given, bounds), given),
  sharing: ({ memory, memory_from, round_size }) => ({
    writes: 'memory',
    reads: memory_from === undefined ? null : { kind: 'memory', param: 'memory_from', id: memory_from },
    learning: null,
    roundSize: memory === 'live' ? null : round_size,
    live: memory === 'live',
  }),
  async play(scope, given) {
    const { forPolicy, forValues } = createAdvice(scope, given)
    const values = createValueFunction(scope, given, forValues)
    const committed = await puctMethod.play(scope, given, { values, advise: forPolicy })
    await reflect(scope, committed, values, given)
  },
}

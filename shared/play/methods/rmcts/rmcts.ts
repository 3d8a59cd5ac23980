import { z } from 'zod'
import { refuseIdle } from '../../../core/contracts/idle-parameters.ts'
import type { MemoryNote } from '../../../core/contracts/memory.ts'
import { clipText } from '../../../core/contracts/well-formed.ts'
import { observationText } from '../../search/conversation.ts'
import type { SearchNode } from '../../search/tree.ts'
import { createValueFunction } from '../../search/values/create-value-function.ts'
import { type Advise, noAdvice } from '../../search/values/value-function.ts'
import { puctMethod } from '../mcts/puct.ts'
import type { Method } from '../method.ts'
import type { MethodScope } from '../method-scope.ts'
import { renderAgentPrompt } from '../prompts/agent-prompt.ts'
import { knowledgePrompts } from '../prompts/knowledge-prompts.ts'
import { reactPrompt } from '../prompts/react-prompt.ts'
import { puctEffort, puctParameters } from '../puct-parameters.ts'
import { derivedOfSearch, rolesOfValue } from '../search-parameters.ts'
import { searchPrompts } from '../search-prompts.ts'
import { reflect } from './reflect.ts'
import { reflectionEffort } from './reflection-effort.ts'
import { reflectionParameters } from './reflection-parameters.ts'
import { reflectionPrompts } from './reflection-prompts.ts'

/** Maximum length of a reflection in a prompt, in characters; ExACT shows 128 tokens. */
const longestShown = 600

const parameters = z
  .strictObject({
    value: z
      .enum(['judge', 'debate', 'single-debate', 'endpoint', 'reward'])
      .default('judge')
      .describe(
        'Source of state values: a judge, a debate, one judge that argues both sides, a trained model, or the environment’s own reward, an oracle.',
      ),
    ...puctParameters,
    ...reflectionParameters,
  })
  .check(refuseIdle)

export type RmctsParameters = z.infer<typeof parameters>

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
    // Reflections learn from the outcome. No later iterations extend this search.
    await scope.conclude(scope.tree.best)
    await reflect(scope, committed, values, given)
  },
}

/**
 * Advice from earlier tasks for the policy and the value function: the reflections whose task and observation are
 * most similar to those of a node.
 *
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), retrieval of reflections
 */
function createAdvice(
  scope: MethodScope,
  parameters: RmctsParameters,
): { forPolicy: Advise; forValues: Advise } {
  const recall = async (side: 'policy' | 'value', node: SearchNode, most: number, least: number) => {
    const situation = { objective: scope.objective, observation: observationText(node.observation) }
    const notes = await scope.recall({ key: `${side}/${node.index}`, side, situation, most, least })
    return notes.map(show).join('\n\n')
  }
  const once = (recalled: Advise): Advise => {
    const known = new Map<number, Promise<string>>()
    return (node) => {
      const advice = known.get(node.index) ?? recalled(node)
      known.set(node.index, advice)
      return advice
    }
  }
  const { policy_likeness, policy_recall, value_likeness, value_recall } = parameters
  return {
    forPolicy: parameters.reflect_policy
      ? once((node) => recall('policy', node, policy_recall, policy_likeness))
      : noAdvice,
    forValues: parameters.reflect_value
      ? once(async (node) => {
          const advice = await recall('value', node, value_recall, value_likeness)
          return advice === '' ? '' : scope.prompts.fill(knowledgePrompts.advice, { advice })
        })
      : noAdvice,
  }
}

function show({ objective, action, note }: MemoryNote, place: number): string {
  const attempted = action === null ? '' : `\nAttempted action: ${action}`
  return `(${place + 1}) Task: ${objective}${attempted}\nLearned: ${clipText(note, longestShown)}`
}

import type { MemoryNote } from '../../../core/contracts/memory.ts'
import { clipText } from '../../../core/contracts/well-formed.ts'
import { observationText } from '../../search/conversation.ts'
import type { SearchNode } from '../../search/tree.ts'
import { type Advise, noAdvice } from '../../search/values/value-function.ts'
import type { MethodScope } from '../method-scope.ts'
import { knowledgePrompts } from '../prompts/knowledge-prompts.ts'
import type { RmctsParameters } from './rmcts.ts'

/** Maximum length of a reflection in a prompt, in characters; ExACT shows 128 tokens. */
const longestShown = 600

/**
 * Advice from earlier tasks for the policy and the value function: the reflections whose task and observation are
 * most similar to those of a node.
 *
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), retrieval of reflections
 */
export function createAdvice(
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

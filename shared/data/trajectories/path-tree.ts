import type { Message } from '../../core/contracts/message.ts'
import type { TreeNode } from '../../core/contracts/tree.ts'
import { readAnswerAction } from '../formats/answer-action.ts'
import type { ReadStep } from '../formats/read-trajectory.ts'

/**
 * The nodes of a trajectory that is a single path: the root shows the last message of the head, each answer is a
 * node. The reward of the whole is the last node's. As in an episode along one path, no value was backed up.
 */
export function pathTree(head: readonly Message[], steps: readonly ReadStep[], reward: number): TreeNode[] {
  const last = steps.length - 1
  return [
    toNode(0, { action: null, message: null, observation: head.at(-1)?.content ?? null }),
    ...steps.map((step, at) =>
      toNode(at + 1, {
        action: step.action ?? readAnswerAction(step.message),
        message: step.message,
        ...(step.reasoning !== undefined && { reasoning: step.reasoning }),
        observation: step.observation,
        reward: at === last ? reward : (step.reward ?? 0),
        terminal: at === last,
        done: step.done ?? at === last,
      }),
    ),
  ]
}

interface NodeFacts extends Partial<Pick<TreeNode, 'reasoning' | 'reward' | 'terminal' | 'done'>> {
  action: string | null
  message: string | null
  observation: string | null
}

function toNode(depth: number, { observation, ...facts }: NodeFacts): TreeNode {
  return {
    parent: depth === 0 ? null : depth - 1,
    depth,
    reward: 0,
    terminal: false,
    done: false,
    disaster: false,
    visits: 0,
    value: 0,
    prior: 1,
    state_hash: null,
    ...facts,
    observation: observation === null ? [] : [{ type: 'text', text: observation }],
  }
}

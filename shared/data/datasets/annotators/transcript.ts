import type { Message } from '../../../core/contracts/message.ts'
import type { Tree, TreeNode } from '../../../core/contracts/tree.ts'
import type { TokenCounter } from '../../../play/models/token-counter.ts'
import { observationText } from '../../../play/search/conversation.ts'

/**
 * Renders a path as text for judges, in a question of limited length. If it is too long, leaves out the oldest turns
 * and says so; the task and the last turn always stay.
 *
 * @param path - positions in the tree, the root first
 * @param toQuestion - the question around a transcript
 */
export async function askAboutPath(
  tree: Tree,
  path: readonly number[],
  { counter, maxTokens }: { counter: TokenCounter; maxTokens: number },
  toQuestion: (transcript: string) => Message,
): Promise<Message[]> {
  const turns = path.slice(1).map((position, index) => renderTurn(tree, position, index + 1))
  const ask = (leftOut: number) => [toQuestion(toTranscript(taskOf(tree), turns, leftOut))]
  let [least, most] = [0, Math.max(0, turns.length - 1)]
  while (least < most) {
    const middle = Math.floor((least + most) / 2)
    if ((await counter.ofPrompt(ask(middle))) <= maxTokens) most = middle
    else least = middle + 1
  }
  return ask(least)
}

function toTranscript(task: string, turns: readonly string[], leftOut: number): string {
  const gap = leftOut === 0 ? [] : [`--- ${leftOut} turns are left out here`]
  return [`--- Environment, start\n${task}`, ...gap, ...turns.slice(leftOut)].join('\n')
}

function taskOf({ messages, nodes }: Tree): string {
  const shown = messages.findLast(({ role }) => role === 'user')?.content
  return shown ?? observationText((nodes[0] as TreeNode).observation)
}

function renderTurn({ nodes }: Tree, position: number, number: number): string {
  const { action, message, observation } = nodes[position] as TreeNode
  return `--- Agent, turn ${number}\nAction: ${action ?? message ?? ''}\n--- Environment, turn ${number}\n${observationText(observation)}`
}

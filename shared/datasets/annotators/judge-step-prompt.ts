import type { Message } from '../../contracts/message.ts'
import type { Tree, TreeNode } from '../../contracts/tree.ts'
import { estimatingCounter, type TokenCounter } from '../../models/token-counter.ts'
import { PromptBook } from '../../prompts/prompt-book.ts'
import { definePrompt } from '../../prompts/prompt-template.ts'
import { observationText } from '../../search/conversation.ts'

/** Asks whether one action of a path was an error. */
export const judgeStepPrompt = definePrompt({
  id: 'judge-step',
  purpose: 'Asks whether the last action of an agent helped, by what the environment answered to it.',
  text: `You check what an agent does to solve a task, one action at a time. The agent and an environment take turns: the agent acts, the environment answers. Your verdict is about the agent's last action only.

Good: the action helps to solve the task, or finds out something that is needed for it.
Bad: the action was refused, changed nothing, repeats what was done in vain, or makes the task harder to solve.
Uncertain: what is shown does not tell whether it helps.

{{transcript}}

Judge what the agent did in turn {{turn}}. Give your reasons first and the verdict last.

Answer in this form:
Reasons: <what speaks for and against the action, in a few sentences>
Judgement: <Good, Bad or Uncertain>`,
})

/**
 * The question about the last node of a path. Where it is too long for the model, the oldest turns are left out, which is said;
 * the task and the action that is judged never are.
 *
 * @param path - positions in the tree, the root first
 * @param counter - whose tokens they are. @default estimated
 */
export function askAboutStep(
  tree: Tree,
  path: readonly number[],
  maxTokens: number,
  counter: TokenCounter = estimatingCounter,
): Message[] {
  const turns = path.slice(1).map((position, index) => renderTurn(tree, position, index + 1))
  const ask = (leftOut: number) => [toQuestion(taskOf(tree), turns, leftOut)]
  let [least, most] = [0, turns.length - 1]
  while (least < most) {
    const middle = Math.floor((least + most) / 2)
    if (counter.ofPrompt(ask(middle)) <= maxTokens) most = middle
    else least = middle + 1
  }
  return ask(least)
}

function toQuestion(task: string, turns: readonly string[], leftOut: number): Message {
  const gap = leftOut === 0 ? [] : [`--- ${leftOut} turns are left out here`]
  const transcript = [`--- Environment, start\n${task}`, ...gap, ...turns.slice(leftOut)].join('\n')
  const content = new PromptBook().fill(judgeStepPrompt, { transcript, turn: String(turns.length) })
  return { role: 'user', content }
}

/** What the agent was shown last before it began. */
function taskOf({ messages, nodes }: Tree): string {
  const shown = messages.findLast(({ role }) => role === 'user')?.content
  return shown ?? observationText((nodes[0] as TreeNode).observation)
}

function renderTurn({ nodes }: Tree, position: number, number: number): string {
  const { action, message, observation } = nodes[position] as TreeNode
  return `--- Agent, turn ${number}\nAction: ${action ?? message ?? ''}\n--- Environment, turn ${number}\n${observationText(observation)}`
}

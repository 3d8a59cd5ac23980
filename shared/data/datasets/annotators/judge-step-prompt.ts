import type { Message } from '../../../core/contracts/message.ts'
import type { Tree } from '../../../core/contracts/tree.ts'
import { estimatingCounter, type TokenCounter } from '../../../play/models/token-counter.ts'
import { PromptBook } from '../../../play/search/prompt-book.ts'
import { definePrompt } from '../../../play/search/prompt-template.ts'
import { askAboutPath } from './transcript.ts'

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
 * The question about the last node of a path. If it is too long for the model, leaves out the oldest turns and says
 * so; the task and the judged action always stay.
 *
 * @param path - positions in the tree, the root first
 * @param counter - counts the tokens. @default estimated
 */
export function askAboutStep(
  tree: Tree,
  path: readonly number[],
  maxTokens: number,
  counter: TokenCounter = estimatingCounter,
): Promise<Message[]> {
  const turn = String(path.length - 1)
  return askAboutPath(tree, path, { counter, maxTokens }, (transcript) => ({
    role: 'user',
    content: new PromptBook().fill(judgeStepPrompt, { transcript, turn }),
  }))
}

import type { Message } from '../../../../core/contracts/message.ts'
import type { Tree } from '../../../../core/contracts/tree.ts'
import { findLabels } from '../../../../play/answers/labels.ts'
import { readMarks } from '../../../../play/answers/read-action.ts'
import { withoutReasoning } from '../../../../play/answers/reasoning.ts'
import { renderRestoreRule, withRestoreRule } from '../../../../play/search/restore-action.ts'

export interface TurnContent {
  message: string | null
  assessment: string | null
  undone: number
  restoreAction: string
}

export function formatTurn({ message, assessment, undone, restoreAction }: TurnContent): string {
  const opening = assessment === null ? [] : [`Taking stock: ${ended(assessment)}`]
  if (message === null) {
    const back = `I do not go on from here and take back ${undone === 1 ? 'my last action' : `my last ${undone} actions`}.`
    return `Thought: ${[...opening, back].join(' ')}\nAction: ${restoreAction}`
  }
  if (assessment === null) return message
  const { thought, action } = splitAnswer(message)
  return `Thought: ${[...opening, thought].filter((part) => part !== '').join(' ')}\n${action}`
}

/**
 * Splits an answer into its thought, without the label, and its action from the label on; reasoning is in neither. An
 * answer without an action is all action, as in play.
 */
export function splitAnswer(answer: string): { thought: string; action: string } {
  const said = withoutReasoning(answer)
  const last = readMarks(said).actions.at(-1)
  if (last === undefined) return { thought: '', action: answer }
  const start = last.plain ? last.word : last.start
  const before = said.slice(0, start)
  const [label] = findLabels(before, 'Thought')
  const isFirst = label?.leads === true && before.slice(0, label.start).trim() === ''
  return { thought: before.slice(isFirst ? label.end : 0).trim(), action: said.slice(start) }
}

export function valueInWords(value: number): string {
  if (value >= 1) return 'by what I see, the task is done.'
  if (value <= 0) return 'I see nothing here that brings me nearer to the goal.'
  return `I put my chances at about ${Number(value.toPrecision(2))}.`
}

export function headWithRestoreRule(
  { layout, messages }: Pick<Tree, 'layout'> & { messages: Message[] },
  template: string,
): Message[] {
  const place = layout === 'eto' ? 0 : messages.findIndex(({ role }) => role === 'system')
  const instruction = messages[place]
  if (instruction === undefined)
    return [{ role: 'system', content: renderRestoreRule(template) }, ...messages]
  return messages.with(place, { ...instruction, content: withRestoreRule(instruction.content, template) })
}

function ended(sentence: string): string {
  return /[.!?…]["'”’)]?$/.test(sentence) ? sentence : `${sentence}.`
}

import type { Message } from '../../../contracts/message.ts'
import type { Tree } from '../../../contracts/tree.ts'
import { renderRestoreRule, withRestoreRule } from '../../../search/restore-action.ts'

/** The mark that the action of an answer stands behind. */
const marker = 'Action:'

/** What a turn says beside its action. */
export interface Speech {
  /** The answer that was given when the action was taken; null where the turn goes back. */
  message: string | null
  /** What is thought of the state that the turn is taken from. */
  stock: string | null
  undone: number
  restoreAction: string
}

/** The text of a turn: taking stock, then the thought and the action as they were, or the way back. */
export function speakTurn({ message, stock, undone, restoreAction }: Speech): string {
  const opening = stock === null ? [] : [`Taking stock: ${ended(stock)}`]
  if (message === null) {
    const back = `I do not go on from here and take back ${undone === 1 ? 'my last action' : `my last ${undone} actions`}.`
    return `Thought: ${[...opening, back].join(' ')}\n${marker} ${restoreAction}`
  }
  if (stock === null) return message
  const { thought, action } = splitAnswer(message)
  return `Thought: ${[...opening, thought].filter((part) => part !== '').join(' ')}\n${action}`
}

/**
 * An answer in two: what is thought, without its label, and the action from its mark on. An answer without the mark is all
 * action, as it was when it was played.
 */
export function splitAnswer(answer: string): { thought: string; action: string } {
  const start = answer.lastIndexOf(marker)
  if (start < 0) return { thought: '', action: answer }
  return {
    thought: answer
      .slice(0, start)
      .replace(/^\s*Thought:/, '')
      .trim(),
    action: answer.slice(start),
  }
}

/** A value as somebody says it who has no reasons to give. */
export function valueInWords(value: number): string {
  if (value >= 1) return 'by what I see, the task is done.'
  if (value <= 0) return 'I see nothing here that brings me nearer to the goal.'
  return `I put my chances at about ${Number(value.toPrecision(2))}.`
}

/** The head of a conversation in which actions can be taken back: its instruction says so, as where it is played. */
export function headWithRestoreRule(
  { layout, messages }: Pick<Tree, 'layout' | 'messages'>,
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

import type { Message } from '../../../contracts/message.ts'
import type { Tree } from '../../../contracts/tree.ts'
import { renderRestoreRule, withRestoreRule } from '../../../search/restore-action.ts'

/** Precedes the action in an answer. */
const marker = 'Action:'

/** What the text of a turn is made of. */
export interface TurnContent {
  /** The answer that was given when the action was taken; null where the turn goes back. */
  message: string | null
  /** The assessment of the state that the turn is taken from. */
  assessment: string | null
  undone: number
  restoreAction: string
}

/** The text of a turn: the assessment, then the thought and the action as they were, or the way back. */
export function formatTurn({ message, assessment, undone, restoreAction }: TurnContent): string {
  const opening = assessment === null ? [] : [`Taking stock: ${ended(assessment)}`]
  if (message === null) {
    const back = `I do not go on from here and take back ${undone === 1 ? 'my last action' : `my last ${undone} actions`}.`
    return `Thought: ${[...opening, back].join(' ')}\n${marker} ${restoreAction}`
  }
  if (assessment === null) return message
  const { thought, action } = splitAnswer(message)
  return `Thought: ${[...opening, thought].filter((part) => part !== '').join(' ')}\n${action}`
}

/**
 * Splits an answer into its thought, without the label, and its action from the marker on. An answer without the marker is all
 * action, as when it was played.
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

/** A value as a sentence, for states for which no judge gave reasons. */
export function valueInWords(value: number): string {
  if (value >= 1) return 'by what I see, the task is done.'
  if (value <= 0) return 'I see nothing here that brings me nearer to the goal.'
  return `I put my chances at about ${Number(value.toPrecision(2))}.`
}

/** The head of a conversation in which actions can be taken back: its instruction says so, as where it is played. */
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

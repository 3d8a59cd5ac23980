import type { Message } from '../../core/contracts/message.ts'
import { UnfitRowError } from './trainer-format.ts'

/** A conversation as in ShareGPT and similar formats: a separate system text, then user and model in turn. */
export interface AlternatingTurns<Turn extends Message> {
  system: string
  /** The user's at even positions, the model's at odd ones. */
  turns: Turn[]
}

/**
 * Splits off the system text and checks that user and model alternate, the user first.
 *
 * @throws UnfitRowError if they do not: joining two turns of one side would change the model's input
 */
export function alternatingTurns<Turn extends Message>(messages: readonly Turn[]): AlternatingTurns<Turn> {
  const system = messages[0]?.role === 'system' ? messages[0].content : ''
  const turns = messages[0]?.role === 'system' ? messages.slice(1) : [...messages]
  for (const [index, { role }] of turns.entries()) {
    if (role === (index % 2 === 0 ? 'user' : 'assistant')) continue
    throw new UnfitRowError(fault(role, turns[index - 1]?.role))
  }
  return { system, turns }
}

function fault(role: Message['role'], before: Message['role'] | undefined): string {
  if (role === 'system') return 'a system text stands in the midst of the conversation'
  const side = role === 'user' ? 'user' : 'model'
  return before === undefined
    ? `the ${side} begins`
    : `two turns of the ${side} follow each other, and user and model must alternate`
}

/**
 * The same for formats without a system text: it precedes the first user turn, with an empty line between.
 *
 * @throws UnfitRowError as {@link alternatingTurns}
 */
export function turnsWithoutSystem<Turn extends Message>(messages: readonly Turn[]): Turn[] {
  const { system, turns } = alternatingTurns(messages)
  const [first, ...rest] = turns
  if (system === '' || first === undefined) return turns
  return [{ ...first, content: `${system}\n\n${first.content}` }, ...rest]
}

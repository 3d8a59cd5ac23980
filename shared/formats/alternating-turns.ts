import type { Message } from '../contracts/message.ts'
import { UnfitRowError } from './trainer-format.ts'

/** A conversation as ShareGPT and its kin hold it: a system text apart, then user and model by turns. */
export interface AlternatingTurns<Turn extends Message> {
  /** Empty where there is none. */
  system: string
  /** The user's at even positions, the model's at odd ones. */
  turns: Turn[]
}

/**
 * Splits off the system text and checks that user and model alternate, the user first.
 *
 * @throws UnfitRowError where they do not: two turns of one side cannot be joined without changing what the model saw
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
 * The same for formats that know no system text: it is put before the first turn of the user, an empty line between.
 *
 * @throws UnfitRowError as {@link alternatingTurns}
 */
export function turnsWithoutSystem<Turn extends Message>(messages: readonly Turn[]): Turn[] {
  const { system, turns } = alternatingTurns(messages)
  const [first, ...rest] = turns
  if (system === '' || first === undefined) return turns
  return [{ ...first, content: `${system}\n\n${first.content}` }, ...rest]
}

import type { PromptMessage } from '../../core/contracts/message.ts'
import type { TokenRecord, TurnVerdict } from '../../core/contracts/token-record.ts'
import { sharedLength } from '../../core/engine/tokens/pack-tokens.ts'
import type { JournalAnswer } from '../../play/search/answer-faults.ts'

export interface AgentTurn {
  call: string
  // Its node, at which the path begins if nothing led there.
  start: number
  // The call and answer that led to its node; null at a start.
  previous: { call: string; answer: number } | null
  messages: readonly PromptMessage[]
  // The answers as they were stored.
  answers: readonly Pick<JournalAnswer, 'content' | 'tool_calls'>[]
  record: Pick<TokenRecord, 'prompt_ids' | 'answers'> | null
}

/**
 * Compares the prompt ids of each turn with the prompt and answer before it on its path. The first turn from a place
 * continues; later ones from there fork off. All of it is by ids alone, but for the difference between `drifted` and
 * `rewritten`, which the texts decide.
 *
 * @param turns - in the order of the journal
 */
export function turnVerdicts(turns: readonly AgentTurn[]): Map<string, TurnVerdict> {
  const byCall = new Map(turns.map((turn) => [turn.call, turn]))
  const continued = new Set<string | number>()
  const verdicts = new Map<string, TurnVerdict>()
  for (const turn of turns) {
    const { call, previous, start } = turn
    const place = previous === null ? start : previous.call
    const before = previous === null ? null : (byCall.get(previous.call) ?? null)
    const verdict = verdictOf(turn, before, continued.has(place))
    if (verdict.kind === 'continuous') continued.add(place)
    verdicts.set(call, { ...verdict, ...(previous && { previous: previous.call }) })
  }
  return verdicts
}

function verdictOf(turn: AgentTurn, before: AgentTurn | null, isForked: boolean): TurnVerdict {
  const ids = turn.record?.prompt_ids ?? null
  if (ids === null) return { kind: 'absent' }
  const follows: TurnVerdict = { kind: isForked ? 'forked' : 'continuous' }
  if (turn.previous === null) return follows
  const { answer } = turn.previous
  const prompt = before?.record?.prompt_ids ?? null
  const answered = before?.record?.answers[answer]?.ids ?? null
  if (before === null || prompt === null || answered === null) return { kind: 'absent' }
  const sequence = [...prompt, ...answered]
  const position = sharedLength(sequence, ids)
  if (position === sequence.length) return follows
  return { kind: isSameText(turn, before, answer) ? 'drifted' : 'rewritten', position }
}

// Tests whether a prompt begins with the messages before it and the answer to them, white space at its ends aside.
function isSameText({ messages }: AgentTurn, before: AgentTurn, answer: number): boolean {
  const { length } = before.messages
  const next = messages[length]
  const given = before.answers[answer]
  if (next?.role !== 'assistant' || given === undefined) return false
  const isAnswer =
    next.content.trim() === given.content.trim() && namesOf(next.tool_calls) === namesOf(given.tool_calls)
  return isAnswer && before.messages.every((message, place) => isSame(message, messages[place]))
}

function isSame(left: PromptMessage, right: PromptMessage | undefined): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right)
}

// Ids of calls are made here, so they may differ.
function namesOf(calls: JournalAnswer['tool_calls']): string {
  return JSON.stringify(calls?.map((call) => call.function) ?? [])
}

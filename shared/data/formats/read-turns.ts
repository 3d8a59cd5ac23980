import { readAnswerAction } from './answer-action.ts'
import { BadRowError } from './bad-row-error.ts'
import { readCallText, readMessageCalls } from './message-calls.ts'
import { readContent, readReasoning, readResult } from './read-content.ts'
import type { Turn } from './read-trajectory.ts'
import { roleOf, type TurnRole } from './roles.ts'

export type RawTurn = Readonly<Record<string, unknown>>

export interface TurnFields {
  role: string
  content: string
}

const rolesNamed = ['role', 'from', 'source', 'speaker', 'sender', 'author'] as const
const contentsNamed = ['content', 'value', 'message', 'text', 'parts'] as const
const resultsNamed = ['output', 'result', 'response'] as const
const reasoningNamed = [
  'reasoning_content',
  'reasoning',
  'thinking',
  'thinking_blocks',
  'reasoning_details',
  'thought',
  'thoughts',
] as const

/** Fields that mark a turn as trained on: OpenAI and the canonical row, axolotl, Agent-R and AgentTraj-L. */
const flagsNamed = ['weight', 'train', 'training', 'loss'] as const

const rolesOfTypes: Readonly<Record<string, TurnRole>> = {
  reasoning: { role: 'assistant', holds: 'text' },
  message: { role: 'assistant', holds: 'text' },
  function_call: { role: 'assistant', holds: 'text' },
  custom_tool_call: { role: 'assistant', holds: 'text' },
  tool_call: { role: 'assistant', holds: 'text' },
  function_call_output: { role: 'user', holds: 'result' },
  custom_tool_call_output: { role: 'user', holds: 'result' },
  tool_result: { role: 'user', holds: 'result' },
}

/**
 * Reads messages of any chat format as turns: texts and parts, tool calls and their results, reasoning beside the
 * text. Joins pieces of one answer that a file separates, such as a thought and its call, and the results of parallel
 * calls.
 *
 * @param field - the path of the list in the row
 * @throws BadRowError that names the turn and the field
 */
export function readTurns(list: readonly RawTurn[], field: string, fields: TurnFields): Turn[] {
  const pieces: Piece[] = []
  let calls = 0
  for (const [index, raw] of list.entries()) {
    const piece = readPiece(raw, `${field}[${index}]`, fields)
    const before = pieces.at(-1)
    const joined = before === undefined ? null : joinPieces(before, piece, calls > 1)
    if (joined === null) pieces.push(piece)
    else pieces[pieces.length - 1] = joined
    const last = pieces.at(-1)
    if (last?.turn.role === 'assistant') calls = last.calls.length
  }
  return pieces.map(toTurn)
}

/** Reads one message, as {@link readTurns}. @throws BadRowError */
export function readTurn(raw: RawTurn, at: string, fields: TurnFields): Turn {
  return toTurn(readPiece(raw, at, fields))
}

function toTurn({ text, calls, turn }: Piece): Turn {
  if (calls.length === 0) return { ...turn, content: text }
  const { content, action } = joinCalls(text, calls)
  return { ...turn, content, action }
}

interface Piece {
  text: string
  calls: readonly string[]
  isApart: boolean
  turn: Omit<Turn, 'content'>
}

function joinPieces(before: Piece, next: Piece, hasParallelCalls: boolean): Piece | null {
  if (before.turn.role !== next.turn.role) return null
  const isResults = before.turn.isResult === true && next.turn.isResult === true
  if (!(isResults ? hasParallelCalls : isOneAnswer(before, next))) return null
  const reasoning = [before.turn.reasoning, next.turn.reasoning].filter((text) => text !== undefined)
  const texts = isResults ? [before.text, next.text] : [before.text, next.text].filter((text) => text !== '')
  return {
    text: texts.join('\n'),
    calls: [...before.calls, ...next.calls],
    isApart: before.isApart || next.isApart,
    turn: {
      ...before.turn,
      learned: before.turn.learned ?? next.turn.learned,
      ...(reasoning.length > 0 && { reasoning: reasoning.join('\n') }),
    },
  }
}

/** A thought belongs to the following piece, and a call without words to the words or the parallel call before it. */
function isOneAnswer(before: Piece, next: Piece): boolean {
  if (before.turn.role !== 'assistant') return false
  const isThought = ({ text, calls, turn }: Piece) =>
    text.trim() === '' && calls.length === 0 && turn.reasoning !== undefined
  if (isThought(before)) return true
  if (isThought(next)) return before.calls.length === 0 && next.isApart
  const isBareCall = next.text.trim() === '' && next.calls.length > 0
  return isBareCall && (before.calls.length === 0 || next.isApart)
}

function readPiece(raw: RawTurn, at: string, fields: TurnFields): Piece {
  const { role, holds } = readRole(raw, at, fields)
  const turn = { at, role, learned: readFlag(raw, at) }
  const isItem = isTyped(raw)
  return role === 'assistant'
    ? readAnswer(raw, { ...turn, role }, { holds, isItem, content: contentOf(raw, at, fields) })
    : readShown(turn, { holds, content: contentOf(raw, at, fields, holds === 'result') })
}

interface FoundContent {
  value: unknown
  at: string
  isMissing: boolean
}

function readAnswer(
  raw: RawTurn,
  turn: Omit<Turn, 'content'>,
  { holds, isItem, content }: { holds: TurnRole['holds']; isItem: boolean; content: FoundContent },
): Piece {
  const { at } = turn
  const read = isItem ? readContent(raw, at) : readContent(content.value, content.at)
  const called =
    holds === 'call' ? readCallText(read.text, content.at) : { text: read.text, calls: [] as string[] }
  const beside = isItem
    ? { calls: [], reasoning: [] }
    : {
        calls: readMessageCalls(raw, at),
        reasoning: reasoningNamed.flatMap((name) => readReasoning(raw[name], `${at}.${name}`) ?? []),
      }
  const calls = [...called.calls, ...read.calls, ...beside.calls]
  const reasoning = [...new Set([...beside.reasoning, ...read.reasoning])]
  if (content.isMissing && !isItem && calls.length === 0 && reasoning.length === 0) throw missing(content.at)
  const text = called.text === '' && typeof raw.refusal === 'string' ? raw.refusal : called.text
  return {
    text,
    calls,
    isApart: isItem || holds === 'call',
    turn: { ...turn, ...(reasoning.length > 0 && { reasoning: reasoning.join('\n') }) },
  }
}

function readShown(
  turn: Omit<Turn, 'content'>,
  { holds, content }: { holds: TurnRole['holds']; content: FoundContent },
): Piece {
  if (content.isMissing || content.value === null) throw missing(content.at)
  if (holds === 'result') {
    const { text } = readResult(content.value, content.at)
    return { text, calls: [], isApart: false, turn: { ...turn, isResult: true } }
  }
  const { text, calls, hasResult } = readContent(content.value, content.at)
  if (calls.length > 0) throw new BadRowError(content.at, `a turn of the role "${turn.role}" calls a tool`)
  return { text, calls, isApart: false, turn: { ...turn, ...(hasResult && { isResult: true }) } }
}

function readRole(raw: RawTurn, at: string, fields: TurnFields): TurnRole {
  const typed = isTyped(raw) ? rolesOfTypes[String(raw.type)] : undefined
  if (typed !== undefined) return typed
  const name = fieldOf(raw, rolesNamed, fields.role)
  const value = raw[name]
  if (typeof value === 'string') return roleOf(value, `${at}.${name}`)
  throw new BadRowError(`${at}.${name}`, 'is missing. It must be the name of a role.')
}

function isTyped(raw: RawTurn): boolean {
  return (
    typeof raw.type === 'string' &&
    Object.hasOwn(rolesOfTypes, raw.type) &&
    rolesNamed.every((name) => typeof raw[name] !== 'string')
  )
}

function contentOf(raw: RawTurn, at: string, fields: TurnFields, isResult = false): FoundContent {
  const named = isResult ? [...contentsNamed, ...resultsNamed] : contentsNamed
  const name = fieldOf(raw, named, fields.content)
  return { value: raw[name], at: `${at}.${name}`, isMissing: raw[name] === undefined }
}

function fieldOf(raw: RawTurn, names: readonly string[], own: string): string {
  return [own, ...names].find((name) => raw[name] !== undefined) ?? own
}

function missing(at: string): BadRowError {
  return new BadRowError(at, 'is missing. It must be a string or a list of parts.')
}

function readFlag(raw: RawTurn, at: string): boolean | null {
  const name = flagsNamed.find((each) => raw[each] !== undefined && raw[each] !== null)
  if (name === undefined) return null
  const flag = raw[name]
  if (typeof flag === 'boolean' || flag === 0 || flag === 1) return Boolean(flag)
  throw new BadRowError(`${at}.${name}`, 'must be true or false, 1 or 0.')
}

/**
 * Joins an answer with its calls: the text, then each call after `Action:`, unless the text already ends in it.
 *
 * @returns the action too: the calls, one a line
 */
function joinCalls(text: string, calls: readonly string[]): { content: string; action: string } {
  const missing = calls.filter((call) => !names(text, call)).map((call) => `Action: ${call}`)
  const said = text.trim() === '' ? [] : [text]
  return { content: [...said, ...missing].join('\n'), action: calls.join('\n') }
}

function names(text: string, call: string): boolean {
  if (text.trim() === '') return false
  if (readAnswerAction(text) === call.trim()) return true
  for (let at = text.indexOf(call); at !== -1; at = text.indexOf(call, at + 1)) {
    const before = text.slice(text.lastIndexOf('\n', at - 1) + 1, at).trim()
    const after = text.slice(at + call.length).split('\n', 1)[0] ?? ''
    if ((before === '' || before.endsWith(':')) && after.trim() === '') return true
  }
  return false
}

import type { DecodingFault } from '../codec.ts'
import { brokenStream, type StreamEvents } from './read-stream-events.ts'

type Fields = Record<string, unknown>

interface StreamedCall {
  index: unknown
  id: string
  function: { name: string; arguments: string }
  extra_content?: unknown
}

interface StreamedChoice {
  message: Fields
  calls: StreamedCall[]
  others: Fields
}

const pieces = new Set(['content', 'refusal', 'reasoning_content', 'reasoning'])

/**
 * Joins the chunks of a chat completion to the body that the endpoint would have sent without a stream: texts,
 * thoughts, calls, log-probabilities and counts. An error in the stream becomes that of the body.
 */
export function assembleCompletion({ events, isDone }: StreamEvents): { body: unknown } | DecodingFault {
  const body: Fields = {}
  const choices = new Map<number, StreamedChoice>()
  for (const { data } of events) {
    if (!isFields(data)) continue
    if (data.error) return { body: { error: data.error } }
    const { choices: given, ...others } = data
    addFields(body, others)
    for (const [place, choice] of (Array.isArray(given) ? given : []).entries()) {
      if (isFields(choice)) addChunk(choices, choice, place)
    }
  }
  const ordered = [...choices].toSorted(([left], [right]) => left - right)
  const isWhole = ordered.length > 0 && ordered.every(([, { others }]) => others.finish_reason)
  if (!isDone && !isWhole) return brokenStream
  return {
    body: {
      ...body,
      choices: ordered.map(([index, { message, calls, others }]) => ({
        ...others,
        index,
        message: calls.length === 0 ? message : { ...message, tool_calls: calls.map(writeCall) },
      })),
    },
  }
}

function addChunk(choices: Map<number, StreamedChoice>, chunk: Fields, place: number): void {
  const { index, delta, message, ...others } = chunk
  const at = typeof index === 'number' ? index : place
  const choice = choices.get(at) ?? { message: {}, calls: [], others: {} }
  choices.set(at, choice)
  const { logprobs, token_ids, ...plain } = others
  addFields(choice.others, plain)
  if (isFields(logprobs)) choice.others.logprobs = joinLists(choice.others.logprobs, logprobs)
  if (Array.isArray(token_ids)) choice.others.token_ids = [...listOf(choice.others.token_ids), ...token_ids]
  for (const [name, value] of Object.entries(isFields(delta) ? delta : isFields(message) ? message : {})) {
    if (value === null || value === undefined) continue
    if (name === 'tool_calls') for (const call of listOf(value)) addCall(choice.calls, call)
    else if (name === 'function_call') addCall(choice.calls, { function: value })
    else if (name === 'reasoning_details') {
      choice.message[name] = joinDetails(listOf(choice.message[name]), listOf(value))
    } else if (pieces.has(name)) choice.message[name] = append(choice.message[name], value)
    else choice.message[name] = value
  }
}

function addFields(target: Fields, fields: Fields): void {
  for (const [name, value] of Object.entries(fields)) {
    if (value !== null && value !== undefined) target[name] = value
  }
}

function append(before: unknown, value: unknown): unknown {
  if (before === undefined) return value
  if (typeof before === 'string' && typeof value === 'string') return before + value
  return [...partsOf(before), ...partsOf(value)]
}

function partsOf(content: unknown): unknown[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)
}

function joinLists(before: unknown, fields: Fields): Fields {
  const joined: Fields = isFields(before) ? { ...before } : {}
  for (const [name, value] of Object.entries(fields)) {
    if (Array.isArray(value)) joined[name] = [...listOf(joined[name]), ...value]
    else addFields(joined, { [name]: value })
  }
  return joined
}

/** OpenRouter sends an item in pieces under one index: its text grows, and its other fields stay. */
function joinDetails(before: readonly unknown[], given: readonly unknown[]): unknown[] {
  const details = [...before]
  for (const piece of given) {
    const at = details.findIndex(
      (detail) =>
        isFields(detail) &&
        isFields(piece) &&
        typeof piece.index === 'number' &&
        detail.index === piece.index &&
        detail.type === piece.type,
    )
    if (at < 0 || !isFields(piece)) details.push(piece)
    else details[at] = joinDetail(details[at] as Fields, piece)
  }
  return details
}

const growing = new Set(['text', 'summary', 'data'])

function joinDetail(before: Fields, piece: Fields): Fields {
  const joined = { ...before }
  for (const [name, value] of Object.entries(piece)) {
    const known = joined[name]
    const grows = growing.has(name) && typeof known === 'string' && typeof value === 'string'
    if (value !== null && value !== undefined) joined[name] = grows ? known + value : value
  }
  return joined
}

/** A call goes on under its index. Some servers give every call the index 0 and an id of its own, or no index. */
function addCall(calls: StreamedCall[], piece: unknown): void {
  if (!isFields(piece)) return
  const id = typeof piece.id === 'string' ? piece.id : ''
  const named = isFields(piece.function) ? piece.function : {}
  const name = typeof named.name === 'string' ? named.name : ''
  const given = named.arguments ?? ''
  const text = typeof given === 'string' ? given : JSON.stringify(given)
  const known = calls.findLast((call) => piece.index === undefined || call.index === piece.index)
  const isNext = known === undefined || (id !== '' && known.id !== '' && id !== known.id)
  const extra = piece.extra_content ? { extra_content: piece.extra_content } : {}
  if (isNext) calls.push({ index: piece.index, id, function: { name, arguments: text }, ...extra })
  else {
    Object.assign(known, extra)
    known.id ||= id
    known.function.name ||= name
    known.function.arguments += text
  }
}

function writeCall({ index: _, ...call }: StreamedCall): object {
  return { ...call, type: 'function' }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

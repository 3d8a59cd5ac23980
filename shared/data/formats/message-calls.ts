import { BadRowError } from './bad-row-error.ts'

type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Reads the tool calls of a message: OpenAI's `tool_calls` and `function_call`, and the same in Inspect's, TRL's and
 * Anthropic's form, also under LangChain's `additional_kwargs`. Writes each call as an action: `name {"argument": "value"}`.
 *
 * @throws BadRowError for a call without a name, or with arguments that are neither an object nor a text
 */
export function readMessageCalls(message: Fields, at: string): string[] {
  const added = isFields(message.additional_kwargs) ? message.additional_kwargs : {}
  const tool_calls = message.tool_calls ?? added.tool_calls
  const function_call = message.function_call ?? added.function_call
  // Tables hold calls as JSON.
  const listed = (typeof tool_calls === 'string' ? (parseJson(tool_calls) ?? tool_calls) : tool_calls) ?? []
  if (!Array.isArray(listed)) throw new BadRowError(`${at}.tool_calls`, 'must be an array of calls')
  const calls = listed.map((call, index) => readMessageCall(call, `${at}.tool_calls[${index}]`))
  return function_call === undefined || function_call === null
    ? calls
    : [...calls, readMessageCall(function_call, `${at}.function_call`)]
}

/** Reads one call under any of its names. @throws BadRowError */
export function readMessageCall(call: unknown, at: string): string {
  if (!isFields(call)) throw new BadRowError(at, 'must be a call: an object with the name of a tool')
  const inner = [call.function, call.custom, call.functionCall, call.function_call].find(isFields) ?? call
  const name = [inner.name, inner.function_name, inner.toolName, inner.tool_name, inner.function].find(
    (each) => typeof each === 'string' && each.trim() !== '',
  )
  if (typeof name !== 'string') throw new BadRowError(at, 'the call names no tool')
  const given =
    inner.arguments ?? inner.args ?? inner.input ?? inner.parameters ?? inner.kwargs ?? inner.params ?? {}
  if (name === ownTool && isFields(given) && Object.keys(given).length === 1) {
    const { action } = given
    if (typeof action === 'string' && action.trim() !== '') return action
  }
  return `${name.trim()} ${writeArguments(given, at)}`.trim()
}

/** The tool name with which this service's trajectories write an action that is a text. */
const ownTool = 'act'

/** Rewrites a JSON text, so that equal calls are equal actions. A text that is not JSON stays unchanged. */
function writeArguments(given: unknown, at: string): string {
  if (isFields(given)) return JSON.stringify(given)
  if (typeof given !== 'string')
    throw new BadRowError(at, 'the arguments of the call are neither an object nor a text')
  if (given.trim() === '') return '{}'
  const value = parseJson(given)
  return isFields(value) ? JSON.stringify(value) : given.trim()
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Reads the content of a turn whose role is a call, such as LLaMA-Factory's `function_call`: one call or a list of
 * them as JSON, after a thought if there is one. A content without JSON is a call in free text.
 *
 * @throws BadRowError for JSON that is no call
 */
export function readCallText(content: string, at: string): { text: string; calls: string[] } {
  const text = content.trim()
  for (const start of startsOfJson(text)) {
    const value = parseJson(text.slice(start))
    const list = Array.isArray(value) ? value : [value]
    if (list.length === 0 || !list.every(isFields)) continue
    return { text: text.slice(0, start).trim(), calls: list.map((call) => readMessageCall(call, at)) }
  }
  return { text: '', calls: [text] }
}

/** Maximum number of brackets tried as the start of the JSON at the end, which bounds the cost of odd thoughts. */
const mostStarts = 100

function startsOfJson(text: string): number[] {
  return [...text.matchAll(/[[{]/g)].slice(0, mostStarts).map(({ index }) => index)
}

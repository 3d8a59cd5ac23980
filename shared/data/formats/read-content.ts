import { BadRowError } from './bad-row-error.ts'
import { isFields, readMessageCall } from './message-calls.ts'

export interface ReadContent {
  text: string
  reasoning: string[]
  calls: string[]
  hasResult: boolean
}

const textTypes = new Set(['text', 'input_text', 'output_text', 'summary_text', 'refusal', 'markdown'])
const reasoningTypes = new Set([
  'thinking',
  'reasoning',
  'reasoning_text',
  'reasoning.text',
  'reasoning.summary',
  'thought',
])
const sealedTypes = new Set(['redacted_thinking', 'reasoning.encrypted'])
const callTypes = new Set([
  'tool_use',
  'server_tool_use',
  'mcp_tool_use',
  'tool_call',
  'function_call',
  'custom_tool_call',
  'function',
])
const resultTypes = new Set([
  'tool_result',
  'mcp_tool_result',
  'function_call_output',
  'custom_tool_call_output',
  'function_response',
])

const sealed = '[redacted]'

/**
 * Reads a content: a text, or a list of parts as OpenAI, Anthropic, Inspect and Gemini write them. Joins texts
 * directly, and puts tool results on lines of their own.
 *
 * @throws BadRowError for a content of another kind, and for a part that is no text
 */
export function readContent(content: unknown, at: string): ReadContent {
  const read: ReadContent = { text: '', reasoning: [], calls: [], hasResult: false }
  for (const [index, part] of partsOf(content).entries()) {
    addPart(read, part, Array.isArray(content) ? `${at}[${index}]` : at)
  }
  return read
}

function partsOf(content: unknown): unknown[] {
  if (content === undefined || content === null) return []
  return Array.isArray(content) ? content : [content]
}

function addPart(read: ReadContent, part: unknown, at: string): void {
  if (typeof part === 'string') {
    addText(read, part)
    return
  }
  if (!isFields(part)) throw new BadRowError(at, `must be a string or a list of parts, not ${nameOf(part)}.`)
  const type = typeOf(part)
  if (sealedTypes.has(type)) read.reasoning.push(sealed)
  else if (callTypes.has(type)) read.calls.push(readMessageCall(part, at))
  else if (resultTypes.has(type)) addResult(read, part, at)
  else if (reasoningTypes.has(type) || part.thought === true)
    read.reasoning.push(readReasoning(part, at) ?? sealed)
  else if (textTypes.has(type)) addText(read, readText(part, at))
  else {
    throw new BadRowError(
      at,
      `a part of the type "${type.slice(0, 60)}" is not imported: trajectories are texts and calls of tools`,
    )
  }
}

/** AI SDK writes hyphens, Gemini no type at all. */
function typeOf(part: Readonly<Record<string, unknown>>): string {
  if (typeof part.type === 'string') return part.type.toLowerCase().replaceAll('-', '_')
  if (isFields(part.functionCall) || isFields(part.function_call)) return 'function_call'
  if (isFields(part.functionResponse) || isFields(part.function_response)) return 'function_response'
  return typeof part.text === 'string' ? 'text' : 'none'
}

function readText(part: Readonly<Record<string, unknown>>, at: string): string {
  const text = [part.text, part.content, part.value, part.refusal].find((each) => typeof each === 'string')
  if (typeof text === 'string') return text
  throw new BadRowError(at, 'the part has no text')
}

function addResult(read: ReadContent, part: Readonly<Record<string, unknown>>, at: string): void {
  const response = [part.functionResponse, part.function_response].find(isFields)
  const { text } = readResult(
    response?.response ?? part.content ?? part.output ?? part.result ?? part.response,
    at,
  )
  read.text = onNewLine(read.text, text)
  read.hasResult = true
}

/** Texts of one message are pieces of it, but a result ends with its line. */
function addText(read: ReadContent, text: string): void {
  read.text = read.hasResult ? onNewLine(read.text, text) : read.text + text
}

function onNewLine(before: string, text: string): string {
  return before === '' || before.endsWith('\n') ? `${before}${text}` : `${before}\n${text}`
}

/** A tool's result: a text, parts, or any other JSON, which is shown as JSON. */
export function readResult(result: unknown, at: string): { text: string } {
  const isParts = Array.isArray(result) && result.every((part) => isFields(part) && typeOf(part) !== 'none')
  if (typeof result === 'string' || result === undefined || result === null || isParts) {
    return readContent(result, at)
  }
  // AI SDK: { type: 'text', value: … } and { type: 'json', value: … }.
  if (isFields(result) && typeof result.type === 'string' && 'value' in result)
    return readResult(result.value, at)
  return { text: JSON.stringify(result) }
}

/**
 * Reads a thought: a text, an object that holds one (Anthropic, Responses API, OpenRouter), or a list of these.
 *
 * @returns null if there is none
 */
export function readReasoning(value: unknown, at: string): string | null {
  if (value === undefined || value === null || value === false || value === true) return null
  if (typeof value === 'string') return value.trim() === '' ? null : value
  if (Array.isArray(value)) {
    const texts = value.flatMap((item, index) => readReasoning(item, `${at}[${index}]`) ?? [])
    return texts.length === 0 ? null : texts.join('\n')
  }
  if (!isFields(value)) throw new BadRowError(at, `the reasoning is ${nameOf(value)}, not a text`)
  if (typeof value.type === 'string' && sealedTypes.has(value.type)) return sealed
  for (const name of ['thinking', 'reasoning', 'reasoning_content', 'text', 'content', 'summary', 'parts']) {
    const found = readReasoning(value[name], `${at}.${name}`)
    if (found !== null) return found
  }
  return null
}

function nameOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`
}

import type { CallFormat } from '../../core/contracts/message.ts'
import { unfence } from './fences.ts'

export interface AnswerCall {
  name: string | null
  arguments: Readonly<Record<string, unknown>>
}

export interface InlineCalls {
  covered: string
  /** The first position of each call's notation, and the position behind it. */
  ranges: (readonly [start: number, end: number])[]
  call: AnswerCall | null
  calls: AnswerCall[]
  isFound: boolean
  format: CallFormat | null
}

const notations: readonly [format: CallFormat, pattern: RegExp][] = [
  // Hermes, Qwen and Granite.
  ['hermes', /<(?<tag>tool_calls?|function_calls?)>(?<content>[\s\S]*?)(?:<\/\k<tag>>|$)/gi],
  // Phi and DeepSeek.
  ['phi', /<\|tool_calls?(?:_begin)?\|>(?<content>[\s\S]*?)(?:<\|(?:\/tool_calls?|tool_calls?_end)\|>|$)/gi],
  // Mistral's newer models: a name, then its arguments, for each call.
  [
    'mistral',
    /\[TOOL_CALLS\]\s*(?<name>[\w.-]+)(?:\[CALL_ID\][\w-]*)?\[ARGS\](?<content>[\s\S]*?)(?=\[TOOL_CALLS\]|<\/s>|$)/g,
  ],
  // Mistral's older models: to the end of the text.
  ['mistral', /\[TOOL_CALLS\](?<content>[\s\S]*)/g],
  // Llama's own functions.
  ['llama', /<function=(?<name>[\w.-]+)>(?<content>[\s\S]*?)(?:<\/function>|$)/gi],
  // Llama's JSON, behind its mark.
  ['llama', /<\|python_tag\|>(?<content>[\s\S]*?)(?:<\|e[om]_id\|>|<\|eot_id\|>|$)/g],
  // OpenAI's harmony format.
  [
    'harmony',
    /<\|channel\|>\s*commentary\s+to=(?:functions\.)?(?<name>[\w.-]+)[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>(?<content>[\s\S]*?)(?:<\|call\|>|$)/g,
  ],
]

/** Qwen3-Coder's calls, inside the marks of Hermes. */
const xmlFunction = /<function=(?<name>[\w.-]+)>(?<content>[\s\S]*?)(?:<\/function>|$)/g
const xmlParameter = /<parameter=(?<name>[\w.-]+)>(?<value>[\s\S]*?)(?:<\/parameter>|(?=<parameter=)|$)/g

const maxInlineCalls = 64

export function findInlineCalls(text: string): InlineCalls {
  // Each notation begins with one of these.
  if (!/[<[]/.test(text)) {
    return { covered: text, ranges: [], call: null, calls: [], isFound: false, format: null }
  }
  let covered = text
  const ranges: InlineCalls['ranges'] = []
  const places: { index: number; format: CallFormat; calls: AnswerCall[] }[] = []
  for (const [format, notation] of notations) {
    for (const { 0: written, groups, index } of [...covered.matchAll(notation)].slice(0, maxInlineCalls)) {
      const { content = '', name = null } = groups ?? {}
      const isXml = format === 'hermes' && /^\s*<function=/.test(content)
      places.push({ index, format: isXml ? 'qwen-xml' : format, calls: readCalls(content, name) })
      ranges.push([index, index + written.length])
      covered = covered.slice(0, index) + '\n'.repeat(written.length) + covered.slice(index + written.length)
    }
  }
  const inOrder = places.toSorted((one, other) => one.index - other.index)
  const calls = inOrder.flatMap((place) => place.calls)
  return {
    covered,
    ranges,
    call: calls[0] ?? null,
    calls,
    isFound: places.length > 0,
    format: inOrder[0]?.format ?? null,
  }
}

/** The words of an answer beside its calls. */
export function withoutCalls(answer: string, ranges: InlineCalls['ranges']): string {
  let words = ''
  let at = 0
  for (const [start, end] of ranges.toSorted(([one], [other]) => one - other)) {
    words += answer.slice(at, Math.max(at, start))
    at = Math.max(at, end)
  }
  return words + answer.slice(at)
}

function readCalls(content: string, name: string | null): AnswerCall[] {
  if (/^\s*<(?:function|parameter)=/.test(content)) return readXmlCalls(content, name)
  const value = parseJson(content)
  return [value].flat().flatMap((each) => (isObject(each) ? (readCall(each, name) ?? []) : []))
}

function readXmlCalls(content: string, name: string | null): AnswerCall[] {
  if (name !== null) return [{ name, arguments: readXmlArguments(content) }]
  return [...content.matchAll(xmlFunction)].slice(0, maxInlineCalls).map(({ groups }) => ({
    name: groups?.name ?? null,
    arguments: readXmlArguments(groups?.content ?? ''),
  }))
}

function readXmlArguments(content: string): Record<string, unknown> {
  const found = [...content.matchAll(xmlParameter)].slice(0, maxInlineCalls)
  return Object.fromEntries(
    found.map(({ groups }) => {
      const text = (groups?.value ?? '').replace(/^\n/, '').replace(/\n$/, '')
      const value = /^\s*(?:[[{]|-?\d|true\b|false\b|null\b)/.test(text) ? parseJson(text) : undefined
      return [groups?.name ?? '', value === undefined ? text : value]
    }),
  )
}

function readCall(value: Record<string, unknown>, name: string | null): AnswerCall | null {
  if (name !== null) return { name, arguments: value }
  const called = value.name ?? value.function ?? value.tool_name
  const given = value.arguments ?? value.parameters ?? value.args ?? {}
  const fields = typeof given === 'string' ? parseObject(given) : isObject(given) ? given : null
  return typeof called === 'string' && fields !== null ? { name: called, arguments: fields } : null
}

function parseObject(text: string): Record<string, unknown> | null {
  const value = parseJson(text)
  const first: unknown = Array.isArray(value) ? value[0] : value
  return isObject(first) ? first : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(unfence(text))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The action of an answer that is wholly JSON, beside its thought, as in `{"thought": "…", "action": "look"}`; null
 * without one.
 */
export function readJsonAction(text: string): string | null {
  if (!/^\s*(?:[`~]{3,}\w*\s*)?\{/.test(text)) return null
  const value = parseObject(text) ?? {}
  const call = value.name === 'act' ? readCall(value, null) : null
  if (call !== null) return textOfActCall(call)
  const { action, ...others } = value
  const isAlone = Object.keys(others).every((name) => /^(?:thoughts?|reasoning|explanation)$/i.test(name))
  return typeof action === 'string' && isAlone ? action : null
}

/** The text of a call whose one argument is an action, as in `act {"action": "look"}`; null for any other call. */
export function textOfActCall({ arguments: given }: AnswerCall): string | null {
  const names = Object.keys(given)
  return names.length === 1 && typeof given.action === 'string' ? given.action : null
}

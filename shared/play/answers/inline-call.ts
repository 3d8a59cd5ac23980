import { unfence } from './fences.ts'

export interface AnswerCall {
  name: string | null
  arguments: Readonly<Record<string, unknown>>
}

/** The calls of a text, covered so that searches skip them. */
export interface InlineCalls {
  covered: string
  call: AnswerCall | null
  calls: AnswerCall[]
  isFound: boolean
}

/** The notations of calls in models' texts, each with its content and, in some notations, its name. */
const notations: readonly RegExp[] = [
  // Hermes, Qwen and Granite.
  /<(?<tag>tool_calls?|function_calls?)>(?<content>[\s\S]*?)(?:<\/\k<tag>>|$)/gi,
  // Phi and DeepSeek.
  /<\|tool_calls?(?:_begin)?\|>(?<content>[\s\S]*?)(?:<\|(?:\/tool_calls?|tool_calls?_end)\|>|$)/gi,
  // Mistral: to the end of the text.
  /\[TOOL_CALLS\](?<content>[\s\S]*)/g,
  // Llama's own functions.
  /<function=(?<name>[\w.-]+)>(?<content>[\s\S]*?)(?:<\/function>|$)/gi,
  // OpenAI's harmony format.
  /<\|channel\|>\s*commentary\s+to=(?:functions\.)?(?<name>[\w.-]+)[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>(?<content>[\s\S]*?)(?:<\|call\|>|$)/g,
]

const maxInlineCalls = 64

export function findInlineCalls(text: string): InlineCalls {
  let covered = text
  const calls: AnswerCall[] = []
  let isFound = false
  for (const notation of notations) {
    for (const { 0: written, groups, index } of [...covered.matchAll(notation)].slice(0, maxInlineCalls)) {
      isFound = true
      calls.push(...readCalls(groups?.content ?? '', groups?.name ?? null))
      covered = covered.slice(0, index) + '\n'.repeat(written.length) + covered.slice(index + written.length)
    }
  }
  return { covered, call: calls[0] ?? null, calls, isFound }
}

function readCalls(content: string, name: string | null): AnswerCall[] {
  const value = parseJson(content)
  return [value].flat().flatMap((each) => (isObject(each) ? (readCall(each, name) ?? []) : []))
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

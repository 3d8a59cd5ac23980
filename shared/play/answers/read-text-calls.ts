import type { CallFormat } from '../../core/contracts/message.ts'
import { parseJson } from '../../core/contracts/parse-json.ts'
import { readBlocks } from './fences.ts'
import { findInlineCalls, withoutCalls } from './inline-call.ts'
import { coverReasoning, withoutReasoning } from './reasoning.ts'

export interface NamedCall {
  name: string
  arguments: string | Readonly<Record<string, unknown>>
}

export interface TextCalls {
  calls: NamedCall[]
  words: string
  format: CallFormat | null
}

/**
 * Reads the tool calls in the text of an answer, as servers leave them there that have no parser for their model: in
 * the notations of {@link findInlineCalls}, or as a JSON object with a name and arguments, alone or in a fence. Nothing
 * inside of reasoning is a call.
 */
export function readTextCalls(answer: string): TextCalls {
  const shown = coverReasoning(answer)
  const { calls, ranges, isFound, format } = findInlineCalls(shown)
  if (isFound) {
    const named = calls.map(({ name, arguments: given }) => ({ name: name ?? '', arguments: given }))
    // A call whose JSON is malformed is still a call: its reader complains.
    const broken = [{ name: '', arguments: '' }]
    return {
      calls: named.length > 0 ? named : broken,
      words: withoutCalls(shown, ranges).trim(),
      format,
    }
  }
  const said = withoutReasoning(answer).trim()
  const texts =
    said.startsWith('{') || said.startsWith('[') ? [said] : readBlocks(said).map(({ text }) => text)
  for (const text of texts) {
    const found = [parseJson(text)].flat().flatMap((value) => callIn(value) ?? [])
    if (found.length > 0)
      return { calls: found, words: said.startsWith(text) ? '' : wordsBefore(said), format: 'json' }
  }
  return { calls: [], words: answer, format: null }
}

function wordsBefore(said: string): string {
  return said.slice(0, Math.max(0, said.search(/^\s*(?:`{3,}|~{3,})/m))).trim()
}

function callIn(value: unknown): NamedCall | null {
  if (!isArguments(value)) return null
  const { name, arguments: given = value.parameters } = value
  return typeof name === 'string' && isArguments(given) ? { name, arguments: given } : null
}

export function isArguments(value: unknown): value is Record<string, never> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

import type { Json, JsonObject } from '../../core/contracts/json.ts'
import { isObject } from '../tools/json-schema.ts'
import { readNumber } from '../tools/outside-reward.ts'
import { readJson, valueAt } from '../tools/read-json.ts'
import { renderToolResult, structuredOf } from '../tools/render-observation.ts'

/**
 * Reads the number in a tool's result: at a path of its structured content or of its text's JSON. Without a path, the
 * text is the number. Undefined if there is none, which is never a zero.
 */
export function readReward(result: JsonObject, field: string | undefined): number | undefined {
  if (field !== undefined) return readNumber(valueIn(result, field))
  const text = readNumber(boolean(renderToolResult(result)))
  return text ?? readNumber(onlyValue(structuredOf(result)))
}

export function readTrue(result: JsonObject, field: string): boolean {
  return valueIn(result, field) === true
}

export function withAnswer(parameters: JsonObject, answer: string): JsonObject {
  return fill(parameters, answer) as JsonObject
}

export function isAnswer(submitted: string, expected: string): boolean {
  return normalised(submitted) === normalised(expected)
}

function normalised(text: string): string {
  return text.normalize('NFKC').trim().replace(/\s+/g, ' ').replace(/\.$/, '').trim().toLowerCase()
}

function valueIn(result: JsonObject, field: string): Json | undefined {
  const found = valueAt(structuredOf(result), field)
  return found === undefined ? valueAt(readJson(renderToolResult(result)), field) : found
}

function boolean(text: string): Json {
  const word = text.trim().toLowerCase()
  return word === 'true' ? true : word === 'false' ? false : text
}

function onlyValue(value: Json | undefined): Json | undefined {
  if (!isObject(value)) return value
  const values = Object.values(value)
  return values.length === 1 ? values[0] : undefined
}

function fill(value: Json, answer: string): Json {
  if (typeof value === 'string') return value.replaceAll('{answer}', () => answer)
  if (Array.isArray(value)) return value.map((item) => fill(item, answer))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fill(item, answer)]))
}

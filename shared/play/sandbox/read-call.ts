import type { Expression, Literal, ObjectExpression, Property, SpreadElement } from 'acorn'
import type { Json } from '../../core/contracts/json.ts'
import { parseCode } from './parse-code.ts'

export interface CodeCall {
  name: string
  code: string
}

const mostCharacters = 10_000

/**
 * Reads an action that is exactly one call of one of these functions, with only literal arguments; null for anything
 * else. Ignores back-ticks around it, a full stop or semicolon after it and an `await` before it.
 *
 * @example
 * readCall("`carry('ball1', ['left'], -1)`.", ['carry']) // { name: 'carry', arguments: ['ball1', ['left'], -1], code: … }
 */
export function readCall(text: string, names: readonly string[]): (CodeCall & { arguments: Json[] }) | null {
  if (text.length > mostCharacters) return null
  const code = bare(text)
  const parsed = parseCode(code)
  if (parsed.type === 'failed' || parsed.tree.body.length !== 1) return null
  const [statement] = parsed.tree.body
  if (statement?.type !== 'ExpressionStatement') return null
  const { expression } = statement
  const call = expression.type === 'AwaitExpression' ? expression.argument : expression
  if (call.type !== 'CallExpression' || call.optional || call.callee.type !== 'Identifier') return null
  const { name } = call.callee
  if (!names.includes(name)) return null
  const values = call.arguments.map(readValue)
  if (!values.every((value) => value !== undefined)) return null
  return { name, arguments: values, code: code.slice(call.start, call.end) }
}

/**
 * Removes the marks around a call. Works by index from both ends: expressions would try every length of a run of
 * back-ticks.
 */
function bare(text: string): string {
  const trimmed = withoutStops(text.trim())
  const most = Math.floor(trimmed.length / 2)
  let ticks = 0
  while (ticks < most && trimmed[ticks] === '`' && trimmed[trimmed.length - 1 - ticks] === '`') ticks += 1
  return withoutStops(trimmed.slice(ticks, trimmed.length - ticks)).trim()
}

function withoutStops(text: string): string {
  let end = text.length
  while (end > 0 && /[.;\s]/.test(text[end - 1] as string)) end -= 1
  return text.slice(0, end)
}

function readValue(expression: Expression | SpreadElement | null): Json | undefined {
  switch (expression?.type) {
    case 'Literal':
      return literalOf(expression)
    case 'TemplateLiteral':
      return expression.expressions.length === 0
        ? (expression.quasis[0]?.value.cooked ?? undefined)
        : undefined
    case 'UnaryExpression': {
      const value = readValue(expression.argument)
      return expression.operator === '-' && typeof value === 'number' ? 0 - value : undefined
    }
    case 'ArrayExpression': {
      const items = expression.elements.map(readValue)
      return items.every((item) => item !== undefined) ? items : undefined
    }
    case 'ObjectExpression':
      return objectOf(expression)
    default:
      return undefined
  }
}

/** A regular expression's value is an object, or null if the host does not support it. */
function literalOf({ value, raw }: Literal): Json | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value === 'string' || typeof value === 'boolean') return value
  return raw === 'null' ? null : undefined
}

function objectOf({ properties }: ObjectExpression): Json | undefined {
  const entries: [string, Json][] = []
  for (const property of properties) {
    const key = property.type === 'Property' ? keyOf(property) : null
    const value = property.type === 'Property' ? readValue(property.value) : undefined
    if (key === null || value === undefined) return undefined
    entries.push([key, value])
  }
  return Object.fromEntries(entries)
}

function keyOf({ computed, kind, method, shorthand, key }: Property): string | null {
  if (computed || method || shorthand || kind !== 'init') return null
  if (key.type === 'Identifier') return key.name
  return key.type === 'Literal' && key.bigint == null ? String(key.value) : null
}

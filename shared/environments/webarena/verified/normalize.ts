import { formats, type NormalValue, normalValue, type ReadingRules } from './normal-value.ts'
import { UnreadValueError, unread } from './quantities.ts'

export type ValueSchema = {
  type?: unknown
  format?: unknown
  items?: ValueSchema
  properties?: Record<string, ValueSchema>
}

// A comparable form: values, in lists and objects as they were given. What cannot be read stays as it is.
export type Normal = NormalValue | readonly Normal[] | { readonly [key: string]: Normal } | unknown

export interface NormalizeRules extends ReadingRules {
  isStrict: boolean
}

export function normalizeList(
  values: readonly unknown[],
  schema: ValueSchema,
  rules: NormalizeRules,
): Normal[] {
  if ((schema.type ?? 'array') !== 'array') throw unread(schema.type, 'schema of an array')
  const items = schema.items ?? {}
  if (items.type === 'object') return values.map((each) => normalizeObject(each, items, rules))
  const format = String(items.format ?? items.type ?? 'string')
  return values.map((each) => orAsItIs(each, rules, () => normalValue(format, each, rules)))
}

export function normalizeObject(value: unknown, schema: ValueSchema, rules: NormalizeRules): Normal {
  if (Array.isArray(value)) return value.map((each) => normalizeObject(each, schema, rules))
  const given = typeof value === 'string' ? parsed(value) : value
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    if (rules.isStrict) throw unread(value, 'object')
    return value
  }
  return Object.fromEntries(
    Object.entries(given).map(([key, each]) => [
      key,
      each === null ? null : property(each, schema.properties?.[key], rules),
    ]),
  )
}

function property(value: unknown, schema: ValueSchema | undefined, rules: NormalizeRules): Normal {
  return orAsItIs(value, rules, () => {
    const { isList, of } = elementOf(schema ?? {})
    if (!isList) return ofType(value, of, rules)
    const list = typeof value === 'string' ? parsed(value) : value
    if (Array.isArray(list)) return list.map((each) => orAsItIs(each, rules, () => ofType(each, of, rules)))
    throw unread(value, 'array')
  })
}

function ofType(value: unknown, of: string | ValueSchema, rules: NormalizeRules): Normal {
  if (typeof of !== 'string') return normalizeObject(value, of, rules)
  return normalValue(of in formats ? of : 'string', value, rules)
}

function elementOf(schema: ValueSchema): { isList: boolean; of: string | ValueSchema } {
  if (schema.type === 'array') return { isList: true, of: elementOf(schema.items ?? {}).of }
  if (schema.type === 'object') return { isList: false, of: schema }
  return { isList: false, of: String(schema.format ?? schema.type ?? 'string') }
}

function orAsItIs(value: unknown, { isStrict }: NormalizeRules, read: () => Normal): Normal {
  try {
    return read()
  } catch (error) {
    if (isStrict || !(error instanceof UnreadValueError)) throw error
    return value
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

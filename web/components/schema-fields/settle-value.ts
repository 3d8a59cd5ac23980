import type { Json, JsonObject } from '../../../shared/core/contracts/json.ts'
import { problemOf } from './field-text.ts'
import { isSame, readFields } from './read-fields.ts'

export type FindIdle = (parameters: JsonObject) => readonly string[]

const noneIdle: FindIdle = () => []

export function visibleFields(schema: JsonObject, value: JsonObject, findIdle: FindIdle = noneIdle) {
  const fields = readFields(schema, value)
  const defaults = fields.flatMap(({ name, fallback }): [string, Json][] =>
    fallback === undefined ? [] : [[name, fallback]],
  )
  const idle = findIdle({ ...Object.fromEntries(defaults), ...value })
  return fields.filter(({ name }) => !idle.includes(name))
}

export function setParameter(
  schema: JsonObject,
  value: JsonObject,
  [name, next]: readonly [name: string, next: Json | undefined],
  findIdle: FindIdle = noneIdle,
): JsonObject {
  const { [name]: _, ...rest } = value
  return settleValue(schema, next === undefined ? rest : { ...rest, [name]: next }, findIdle)
}

export function settleValue(
  schema: JsonObject,
  value: JsonObject,
  findIdle: FindIdle = noneIdle,
): JsonObject {
  const shown = new Set(visibleFields(schema, value, findIdle).map(({ name }) => name))
  return Object.fromEntries(Object.entries(value).filter(([name]) => shown.has(name)))
}

export function withoutDefaults(schema: JsonObject, value: JsonObject): JsonObject {
  const fallbacks = new Map(readFields(schema, value).map(({ name, fallback }) => [name, fallback]))
  return Object.fromEntries(
    Object.entries(value).filter(([name, own]) => {
      const fallback = fallbacks.get(name)
      return fallback === undefined || !isSame(own, fallback)
    }),
  )
}

export function findProblems(schema: JsonObject, value: JsonObject): Record<string, string> {
  return Object.fromEntries(
    readFields(schema, value).flatMap((field): [string, string][] => {
      const problem = problemOf(field, value[field.name])
      return problem === null ? [] : [[field.name, problem]]
    }),
  )
}

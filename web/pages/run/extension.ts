import type { MethodInfo } from '../../../shared/core/contracts/catalogue.ts'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import type { ExtendRequest } from '../../../shared/core/contracts/run.ts'
import { findProblems } from '../../components/schema-fields/settle-value.ts'

export function changedParameters(now: JsonObject, before: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(
    Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  )
}

/** Errors for emptied limits, by name: an omitted limit keeps its old value, so a limit cannot be removed. */
export function removedLimits(
  now: JsonObject,
  before: Readonly<Record<string, unknown>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.keys(before)
      .filter((name) => before[name] !== undefined && now[name] === undefined)
      .map((name) => [name, 'A limit can be raised, not removed.']),
  )
}

export function extensionProblems(
  { extendable, parameters }: Pick<MethodInfo, 'extendable' | 'parameters'>,
  now: JsonObject,
  before: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const problems = findProblems(parameters, now)
  return Object.fromEntries(
    extendable.flatMap((name): [string, string][] => {
      const isEmptied = before[name] !== undefined && now[name] === undefined
      const problem = problems[name] ?? (isEmptied ? 'It must be given.' : undefined)
      return problem === undefined ? [] : [[name, problem]]
    }),
  )
}

export function toExtension(parts: Required<ExtendRequest>): ExtendRequest | null {
  const asked = Object.entries(parts).filter(([, part]) => Object.keys(part ?? {}).length > 0)
  return asked.length === 0 ? null : (Object.fromEntries(asked) as ExtendRequest)
}

export function parameterNames(schema: JsonObject): string[] {
  const variants = (schema.anyOf ?? [schema]) as { properties?: JsonObject }[]
  return [...new Set(variants.flatMap(({ properties = {} }) => Object.keys(properties)))]
}

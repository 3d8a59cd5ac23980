import type { JsonObject } from '../../../shared/contracts/json.ts'
import type { ExtendRequest } from '../../../shared/contracts/run.ts'

/** The parameters that are not as they were. */
export function changedParameters(now: JsonObject, before: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(
    Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  )
}

/** What is asked for in an extension; null where nothing is. */
export function toExtension(parts: Required<ExtendRequest>): ExtendRequest | null {
  const asked = Object.entries(parts).filter(([, part]) => Object.keys(part ?? {}).length > 0)
  return asked.length === 0 ? null : (Object.fromEntries(asked) as ExtendRequest)
}

/** The names of all parameters that a schema knows, in any of its variants. */
export function parameterNames(schema: JsonObject): string[] {
  const variants = (schema.anyOf ?? [schema]) as { properties?: JsonObject }[]
  return [...new Set(variants.flatMap(({ properties = {} }) => Object.keys(properties)))]
}

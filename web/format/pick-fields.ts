import type { JsonObject } from '../../shared/core/contracts/json.ts'

export function pickFields(request: JsonObject, schema: JsonObject): JsonObject {
  const names = Object.keys(schema.properties ?? {})
  return Object.fromEntries(Object.entries(request).filter(([name]) => names.includes(name)))
}

export function withFields<Draft extends object>(
  draft: Draft,
  schema: JsonObject,
  fields: JsonObject,
): Draft {
  const names = Object.keys(schema.properties ?? {})
  const others = Object.entries(draft).filter(([name]) => !names.includes(name))
  return { ...Object.fromEntries(others), ...fields } as Draft
}

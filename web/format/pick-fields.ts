import type { JsonObject } from '../../shared/contracts/json.ts'

/** Of a request, the fields that a schema has. */
export function pickFields(request: JsonObject, schema: JsonObject): JsonObject {
  const names = Object.keys(schema.properties ?? {})
  return Object.fromEntries(Object.entries(request).filter(([name]) => names.includes(name)))
}

/** The request with the fields of a schema as they are given; those that are not given are left out. */
export function withFields<Draft extends object>(
  draft: Draft,
  schema: JsonObject,
  fields: JsonObject,
): Draft {
  const names = Object.keys(schema.properties ?? {})
  const others = Object.entries(draft).filter(([name]) => !names.includes(name))
  return { ...Object.fromEntries(others), ...fields } as Draft
}

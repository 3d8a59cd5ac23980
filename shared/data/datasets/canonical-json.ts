import type { Json, JsonObject } from '../../core/contracts/json.ts'

/**
 * JSON with the members of every object sorted by name, so that equal values are equal texts (RFC 8785, except for
 * names with characters beyond the basic plane).
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value as Json))
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  const names = Object.keys(value)
  if (isMessage(names)) return sortedMessage(value, names.length)
  const entries: Record<string, Json> = {}
  for (const name of names.sort()) {
    const member = sorted(value[name] as Json)
    // An assignment to this name would set the prototype, and the member would be lost.
    if (name === '__proto__') Object.defineProperty(entries, name, { value: member, enumerable: true })
    else entries[name] = member
  }
  return entries
}

/** Rows are mostly lists of messages: recognising the usual order of their names halves the time. */
function isMessage(names: string[]): boolean {
  if (names[0] !== 'role' || names[1] !== 'content') return false
  return names.length === 2 || (names.length === 3 && names[2] === 'weight')
}

function sortedMessage(message: JsonObject, size: number): JsonObject {
  const content = sorted(message.content as Json)
  const role = sorted(message.role as Json)
  return size === 2 ? { content, role } : { content, role, weight: sorted(message.weight as Json) }
}

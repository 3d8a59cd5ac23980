import { hash } from 'node:crypto'
import type { JsonObject } from '../contracts/json.ts'

/** Names a state: equal states have equal names. 96 bits of SHA-256 over its JSON, in which the order of keys counts. */
export function hashState(state: JsonObject): string {
  return hash('sha256', JSON.stringify(state), 'base64url').slice(0, 16)
}

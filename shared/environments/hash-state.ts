import { hash } from 'node:crypto'
import type { JsonObject } from '../core/contracts/json.ts'

/** Hashes a state: equal states have equal hashes. 96 bits of SHA-256 over its JSON. The order of keys counts. */
export function hashState(state: JsonObject): string {
  return hash('sha256', JSON.stringify(state), 'base64url').slice(0, 16)
}

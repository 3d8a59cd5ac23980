import type { Json, JsonObject } from '../../shared/core/contracts/json.ts'
import { isObject } from '../components/schema-fields/read-fields.ts'
import { withEntry } from './with-entry.ts'

/** Servers and browsers accept longer addresses, but other programs may not. */
const longest = 6000

export function readRequest(address: URLSearchParams): JsonObject | null {
  const text = address.get('request')
  if (text === null) return null
  try {
    const value = JSON.parse(text) as Json
    return isObject(value) ? value : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

export function fitsAddress(json: string): boolean {
  return json.length <= longest
}

export function withRequest(address: URLSearchParams, json: string): URLSearchParams {
  return withEntry(address, 'request', fitsAddress(json) ? json : '')
}

export function requestAddress(form: string, request: object): string {
  const text = JSON.stringify(request)
  return fitsAddress(text) ? `${form}?${new URLSearchParams({ request: text })}` : form
}

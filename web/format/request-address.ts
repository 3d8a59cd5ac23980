import type { Json, JsonObject } from '../../shared/contracts/json.ts'
import { isObject } from '../components/schema-fields/read-fields.ts'
import { withEntry } from './with-entry.ts'

/** Servers and browsers take longer addresses, but people's other programs may not. */
const longest = 6000

/** The request that an address holds, so that a link or a reload shows the form as it was; null where it holds none. */
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

/** Whether a request, as JSON, is short enough to be kept in an address. */
export function fitsAddress(json: string): boolean {
  return json.length <= longest
}

/** The address with the request in it, as JSON; without it where it is too long for one. */
export function withRequest(address: URLSearchParams, json: string): URLSearchParams {
  return withEntry(address, 'request', fitsAddress(json) ? json : '')
}

/**
 * The address of a form, filled in with a request.
 *
 * @example
 * requestAddress('/trainings/new', { recipe: 'sft' }) // '/trainings/new?request=%7B%22recipe%22%3A%22sft%22%7D'
 */
export function requestAddress(form: string, request: object): string {
  const text = JSON.stringify(request)
  return fitsAddress(text) ? `${form}?${new URLSearchParams({ request: text })}` : form
}

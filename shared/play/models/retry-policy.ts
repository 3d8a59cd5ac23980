import type { WireHeaders } from './transport.ts'

const firstDelay = 500
const longestDelay = 20_000
/** Milliseconds. If a server asks for a longer wait, the call fails, and its episode is retried later. */
export const longestWait = 600_000

export function isRetriedStatus(status: number, headers: WireHeaders | null): boolean {
  const asked = headers?.get('x-should-retry')
  if (asked === 'true') return true
  if (asked === 'false') return false
  return status === 408 || status === 409 || status === 429 || status >= 500
}

/**
 * Milliseconds to wait before the next retry: 0.5 s doubling up to 20 s, less up to a quarter at random so that
 * callers spread out. A server's longer wait (`retry-after-ms`, or `retry-after` in seconds or as an HTTP date) is
 * respected. A shorter wait would send every retry within a second.
 *
 * @param attempt Number of failed tries before this one; 0 after the first.
 */
export function retryDelay(attempt: number, headers: WireHeaders | null): number {
  const delay = Math.min(firstDelay * 2 ** attempt, longestDelay) * (1 - Math.random() * 0.25)
  return Math.max(delay, headers === null ? 0 : askedDelay(headers))
}

function askedDelay(headers: WireHeaders): number {
  const milliseconds = readNumber(headers.get('retry-after-ms'))
  if (milliseconds !== null) return milliseconds
  const text = headers.get('retry-after')
  if (text === null) return 0
  const seconds = readNumber(text)
  if (seconds !== null) return seconds * 1000
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN // Date.parse accepts even "-5" as a date
  return Number.isNaN(date) ? 0 : date - Date.now()
}

function readNumber(text: string | null): number | null {
  if (text === null || text.trim() === '') return null
  const value = Number(text)
  return Number.isFinite(value) && value >= 0 ? value : null
}

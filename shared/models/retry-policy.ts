const firstDelay = 500
const longestDelay = 20_000
/** A server that asks for a longer wait is not waited for: the call fails, and its episode is tried again later. */
export const longestWait = 600_000

/** Whether an answer with this status is worth another try. `x-should-retry` decides where the server sends it. */
export function isRetriedStatus(status: number, headers: Headers | null): boolean {
  const asked = headers?.get('x-should-retry')
  if (asked === 'true') return true
  if (asked === 'false') return false
  return status === 408 || status === 409 || status === 429 || status >= 500
}

/**
 * Milliseconds to wait before the next try: 0.5 s doubling up to 20 s, less up to a quarter at random so that callers spread out. A
 * server that asks for longer (`retry-after-ms`, or `retry-after` in seconds or as an HTTP date) gets it. A shorter wait would send
 * every retry within a second.
 *
 * @param attempt How many tries have failed before this one; 0 after the first.
 */
export function retryDelay(attempt: number, headers: Headers | null): number {
  const delay = Math.min(firstDelay * 2 ** attempt, longestDelay) * (1 - Math.random() * 0.25)
  return Math.max(delay, headers === null ? 0 : askedDelay(headers))
}

/** 0 if the server asks for no delay. */
function askedDelay(headers: Headers): number {
  const milliseconds = readNumber(headers.get('retry-after-ms'))
  if (milliseconds !== null) return milliseconds
  const text = headers.get('retry-after')
  if (text === null) return 0
  const seconds = readNumber(text)
  if (seconds !== null) return seconds * 1000
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN // Date.parse takes even "-5" for a date
  return Number.isNaN(date) ? 0 : date - Date.now()
}

function readNumber(text: string | null): number | null {
  if (text === null || text.trim() === '') return null
  const value = Number(text)
  return Number.isFinite(value) && value >= 0 ? value : null
}

import { EspalierError } from '../contracts/errors.ts'

/**
 * Refuses keys that some driver cannot store.
 * @throws EspalierError `invalid_request`
 */
export function checkKey(what: string, key: string, maxBytes: number): void {
  const fits = key.length * 3 <= maxBytes || Buffer.byteLength(key) <= maxBytes
  if (key !== '' && fits && key.isWellFormed() && !key.includes('\u0000')) return
  throw new EspalierError(
    'invalid_request',
    `${JSON.stringify(key.slice(0, 100))} cannot be ${what}: use 1 to ${maxBytes} bytes of well-formed text without NUL.`,
  )
}

import { registeredFetch } from '../outbound/outbound-fetch.ts'
import type { FilledHook } from './reset-hook.ts'

/**
 * Posts what an administrator named for a reset, and waits for the end of the answer.
 *
 * @param signal gives it up
 * @returns what went wrong, as what follows a name; null: it answered with success. Neither the address nor a field is said, since
 * both may hold what only the administrator knows
 */
export async function postResetHook(
  { address, form, headers, timeout }: FilledHook,
  signal?: AbortSignal,
): Promise<string | null> {
  const limit = AbortSignal.timeout(timeout * 1000)
  try {
    const response = await registeredFetch(address, {
      method: 'POST',
      headers,
      body: new URLSearchParams(form),
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    })
    await response.arrayBuffer()
    return response.ok ? null : `answered its reset with ${response.status}`
  } catch {
    return limit.aborted ? `has not answered its reset in ${timeout} seconds` : 'is not reached for its reset'
  }
}

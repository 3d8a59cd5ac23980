import { registeredFetch } from '../core/outbound/outbound-fetch.ts'
import type { FilledHook } from './reset-hook.ts'

/**
 * Sends an administrator's reset request, and waits for the end of the answer.
 * @param signal aborts it
 * @returns the failure, as a phrase that follows a name; null: success. It contains neither the address nor a field,
 * since both may hold secrets of the administrator
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
      // Its target is not the administrator's address.
      redirect: 'manual',
      body: new URLSearchParams(form),
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    })
    await response.arrayBuffer()
    return response.status < 400 ? null : `answered its reset with ${response.status}`
  } catch {
    return limit.aborted ? `has not answered its reset in ${timeout} seconds` : 'is not reached for its reset'
  }
}

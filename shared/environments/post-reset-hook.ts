import { patientFetch } from '../core/outbound/outbound-fetch.ts'
import type { FilledHook } from './reset-hook.ts'

/**
 * Sends an administrator's reset request, and waits for the end of the answer.
 * @param signal aborts it
 * @returns the failure, with a phrase that follows a name; null: success. It contains neither the address nor a field,
 * since both may hold secrets of the administrator
 */
export async function postResetHook(
  { address, form, headers, timeout }: FilledHook,
  signal?: AbortSignal,
): Promise<{ wrong: string; isLate: boolean } | null> {
  const limit = AbortSignal.timeout(timeout * 1000)
  try {
    const response = await patientFetch(address, {
      method: 'POST',
      headers,
      // Its target is not the administrator's address.
      redirect: 'manual',
      body: new URLSearchParams(form),
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    })
    await response.arrayBuffer()
    if (response.status < 400) return null
    return { wrong: `answered its reset with ${response.status}`, isLate: false }
  } catch {
    return limit.aborted
      ? { wrong: `has not answered its reset in ${timeout} seconds`, isLate: true }
      : { wrong: 'is not reached for its reset', isLate: false }
  }
}

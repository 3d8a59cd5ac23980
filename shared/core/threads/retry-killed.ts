import { setTimeout as sleep } from 'node:timers/promises'

/** Number of tries, with pauses between them that double: 0.2, 0.4, … seconds, together about 6. */
const tries = 6
const firstPause = 200

/**
 * An error of a process killed from outside, as by the kernel or by an administrator. The process is not at fault.
 */
export function isKilled(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'isKilled' in error && error.isKilled === true
}

/**
 * Retries an attempt while its process is killed from outside.
 *
 * @throws the last error, once every try failed; any other error immediately
 */
export async function retryKilled<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!isKilled(error) || tried === tries) throw error
      await sleep(firstPause * 2 ** (tried - 1))
    }
  }
}

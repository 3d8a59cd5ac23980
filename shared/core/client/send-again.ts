import { ApiError } from './api-error.ts'
import { ConnectionError, reasonOf } from './connection-error.ts'

/** Milliseconds before each retry after a broken connection, when the service may have received the request. */
const afterBreak = [200, 400]
/** The same after a refused connection, when it received nothing. */
const afterRefusal = [250, 500, 1000, 2000]
/** Half a minute: a service that answered before may be restarting. */
const duringRestart = [...afterRefusal, 4000, 8000, 8000, 8000]

export interface SendAgain {
  /** It only reads, or carries an idempotency key. A refused connection is retried in any case. */
  isRepeatable: boolean
  hasAnswered: boolean
  signal?: AbortSignal | undefined
}

/**
 * Sends a request, with retries and back-off while no service accepts it. Answers of the service are final, including
 * errors.
 */
export async function sendAgain<Answer>(send: () => Promise<Answer>, how: SendAgain): Promise<Answer> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await send()
    } catch (error) {
      const delay = delaysAfter(error, how)[tries]
      if (delay === undefined || how.signal?.aborted) throw error
      await pause(delay, how.signal)
      if (how.signal?.aborted) throw error
    }
  }
}

function delaysAfter(error: unknown, { hasAnswered, isRepeatable }: SendAgain): readonly number[] {
  if (error instanceof ApiError) return []
  const reason = reasonOf(error instanceof ConnectionError ? error.cause : error)
  if (reason.includes('ECONNREFUSED')) return hasAnswered ? duringRestart : afterRefusal
  return isRepeatable && !reason.includes('ENOTFOUND') ? afterBreak : []
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal?.addEventListener('abort', end)
  })
}

import { ApiError } from './api-error.ts'
import { ConnectionError, reasonOf } from './connection-error.ts'

/** Milliseconds before each further try if the connection broke: whether the service took the request is not known. */
const afterBreak = [200, 400]
/** The same if the service refused the connection, so that it took nothing. */
const afterRefusal = [250, 500, 1000, 2000]
/** A service that answered before may be starting again: half a minute. */
const duringRestart = [...afterRefusal, 4000, 8000, 8000, 8000]

/** How a request may be sent again. */
export interface SendAgain {
  /** It only reads, or carries an idempotency key. A refused connection is tried again in any case. */
  isRepeatable: boolean
  /** The service has answered this client before. */
  hasAnswered: boolean
  signal?: AbortSignal | undefined
}

/** Sends a request, and again with back-off while no service takes it. Answers of the service are final, errors too. */
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

/** Ends early if the signal is aborted. */
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

import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { BackendLostError } from '../env-host/session-backend.ts'

const longestWork = 60_000

/**
 * Works with a page. Any failure of the browser, or a page that hangs, loses the session, which is then reopened
 * elsewhere and replayed. It is never an answer of the environment.
 * @throws BackendLostError; EspalierError as it was thrown
 */
export async function guardPage<Answer>(work: () => Promise<Answer>, limit = longestWork): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`The page has not answered for ${limit / 1000} seconds.`)),
      limit,
    )
  })
  try {
    return await Promise.race([work(), late])
  } catch (error) {
    if (EspalierError.isInstance(error)) throw error
    const [reason = ''] = String(error instanceof Error ? error.message : error).split('\n', 1)
    throw new BackendLostError(`its page or its browser is gone: ${reason}`)
  } finally {
    clearTimeout(timer)
  }
}

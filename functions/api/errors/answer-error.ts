import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import type { ApiContext } from '../api-app.ts'
import { errorFields, type Log } from '../log.ts'

/**
 * Answers any thrown error. User errors are described in full. For our own errors the answer has only the request id,
 * and the log has the details.
 */
export function answerError(log: Log): (error: Error, context: ApiContext) => Response {
  return (error, context) => {
    const requestId = context.get('requestId')
    const known = toEspalierError(error, requestId)
    if (known.status >= 500) {
      const { method, path } = context.req
      // A client that hung up while sending gets no answer, and this is no error of ours.
      const isGone = context.req.raw.signal.aborted && isHangUp(error)
      log({
        level: isGone ? 'info' : 'error',
        event: isGone ? 'request.aborted' : 'request.failed',
        request_id: requestId,
        method,
        path,
        ...errorFields(error),
      })
    }
    if (known.status === 401) context.header('WWW-Authenticate', 'Bearer')
    return context.json(known.toBody(), known.status as ContentfulStatusCode)
  }
}

function isHangUp(error: Error & { code?: unknown }): boolean {
  return (
    error.code === 'ECONNRESET' ||
    error.name === 'AbortError' ||
    error.message === 'Client connection prematurely closed.'
  )
}

function toEspalierError(error: Error, requestId: string): EspalierError {
  if (EspalierError.isInstance(error)) return error
  if (error instanceof HTTPException && error.status === 415) {
    return new EspalierError(
      'unsupported_media_type',
      'The body must be JSON: send it with the header "Content-Type: application/json".',
    )
  }
  if (error instanceof HTTPException && error.status < 500) {
    return new EspalierError('invalid_request', error.message, { cause: error })
  }
  return new EspalierError(
    'internal',
    `Something went wrong inside the service. See its log under the request id ${requestId}.`,
    { cause: error },
  )
}

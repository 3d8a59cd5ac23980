import { streamSSE } from 'hono/streaming'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { type ApiContext, principalOf } from './api-app.ts'
import { type FollowTimes, followStream } from './follow-stream.ts'
import { errorFields, type Log } from './log.ts'
import type { Followed, SharedPolls } from './shared-polls.ts'

export interface StreamOptions {
  log: Log
  times: FollowTimes
  closing: AbortSignal
  polls: SharedPolls
}

/** Answers with server-sent events. @throws EspalierError `not_found` before the stream begins */
export async function answerStream(
  context: ApiContext,
  followed: Followed,
  { after, closing, id, log, polls, times }: StreamOptions & { after: number; id: string },
): Promise<Response> {
  // Answer unknown ids with 404 now, which is impossible once the stream has begun.
  await followed.get()
  context.header('X-Accel-Buffering', 'no')
  if (context.req.method === 'HEAD') return context.body(null, 200, { 'Content-Type': 'text/event-stream' })
  return streamSSE(context, async (stream) => {
    const gone = new AbortController()
    stream.onAbort(() => gone.abort())
    const key = `${principalOf(context).tenant}/${followed.name}/${id}`
    const signal = AbortSignal.any([gone.signal, closing, context.req.raw.signal])
    try {
      for await (const message of followStream(followed, { after, key, polls, times, signal })) {
        if (message === 'keep-alive') await stream.write(': keep-alive\n\n')
        else await stream.writeSSE(message)
      }
    } catch (error) {
      if (gone.signal.aborted || context.req.raw.signal.aborted) return
      const requestId = context.get('requestId')
      log({
        level: 'error',
        event: 'stream.failed',
        request_id: requestId,
        [followed.name]: id,
        ...errorFields(error),
      })
      const answer = EspalierError.isInstance(error) ? error : broken(requestId)
      await stream.writeSSE({ event: 'error', data: JSON.stringify(answer.toBody()) })
    }
  })
}

function broken(requestId: string): EspalierError {
  const message = `The stream broke; go on with Last-Event-ID. See the log under the request id ${requestId}.`
  return new EspalierError('internal', message)
}

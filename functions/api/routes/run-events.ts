import { createRoute } from '@hono/zod-openapi'
import { streamSSE } from 'hono/streaming'
import { z } from 'zod'
import { errorBodySchema } from '../../../shared/core/contracts/error-body.ts'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import { runSchema, runStatusSchema } from '../../../shared/core/contracts/run.ts'
import { runEventSchema } from '../../../shared/core/contracts/run-event.ts'
import type { ApiApp } from '../api-app.ts'
import type { ApiServices } from '../api-services.ts'
import { needs } from '../authentication/needs.ts'
import { type FollowTimes, followRun } from '../follow-run.ts'
import { errorFields, type Log } from '../log.ts'
import { badRequest, failure, notFound } from '../openapi/answers.ts'
import { runParameters, strictQuery } from '../openapi/parameters.ts'
import { ownServices } from '../own-services.ts'

const sequence = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)

const runMessageSchema = z.union([
  runEventSchema,
  runSchema,
  z.object({ status: runStatusSchema }),
  errorBodySchema,
])

const followRunEvents = createRoute({
  method: 'get',
  path: '/v1/runs/{run}/events',
  operationId: 'followRun',
  summary: 'Follow a run as it happens',
  description:
    'Server-sent events. Each stored event comes once, with its sequence as id; `Last-Event-ID`, or `after`, goes on behind one. In between, events called `run` without an id show the current state of the run. An event called `end` says that the run has ended and all events were sent; without it, connect again.',
  tags: ['Runs'],
  ...needs('runs:read'),
  request: {
    params: runParameters,
    query: strictQuery({ after: sequence.optional().describe('Only events with a greater sequence.') }),
    headers: z.object({
      'Last-Event-ID': sequence
        .optional()
        .describe('The sequence number of the last event received. It takes precedence over `after`.'),
    }),
  },
  responses: {
    200: {
      description: 'The events.',
      content: {
        'text/event-stream': {
          schema: runMessageSchema,
          example:
            'id: 1\nevent: run.status\ndata: {"type":"run.status","sequence":1,"created_at":"2026-11-21T09:00:00Z","status":"running","reason":null}\n\n',
        },
      },
    },
    ...badRequest,
    ...notFound,
    ...failure,
  },
})

export interface RunEventOptions {
  log: Log
  times: FollowTimes
  closing: AbortSignal
}

export function addRunEventRoute(app: ApiApp, services: ApiServices, options: RunEventOptions): void {
  const { log, times, closing } = options

  app.openapi(followRunEvents, async (context) => {
    const { run } = context.req.valid('param')
    const after = context.req.valid('header')['Last-Event-ID'] ?? context.req.valid('query').after ?? 0
    // Answer unknown runs with 404 now, which is impossible once the stream has begun.
    const { runs } = ownServices(services, context)
    await runs.get(run)
    context.header('X-Accel-Buffering', 'no')
    if (context.req.method === 'HEAD') return context.body(null, 200, { 'Content-Type': 'text/event-stream' })
    return streamSSE(context, async (stream) => {
      const gone = new AbortController()
      stream.onAbort(() => gone.abort())
      const signal = AbortSignal.any([gone.signal, closing, context.req.raw.signal])
      try {
        for await (const message of followRun(runs, run, { after, times, signal })) {
          if (message === 'keep-alive') await stream.write(': keep-alive\n\n')
          else await stream.writeSSE(message)
        }
      } catch (error) {
        if (gone.signal.aborted || context.req.raw.signal.aborted) return
        const requestId = context.get('requestId')
        log({ level: 'error', event: 'stream.failed', request_id: requestId, run, ...errorFields(error) })
        const answer = EspalierError.isInstance(error) ? error : broken(requestId)
        await stream.writeSSE({ event: 'error', data: JSON.stringify(answer.toBody()) })
      }
    })
  })
}

function broken(requestId: string): EspalierError {
  const message = `The stream broke; go on with Last-Event-ID. See the log under the request id ${requestId}.`
  return new EspalierError('internal', message)
}

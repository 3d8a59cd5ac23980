import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { errorBodySchema } from '../../../shared/core/contracts/error-body.ts'
import { runSchema, runStatusSchema } from '../../../shared/core/contracts/run.ts'
import { runEventSchema } from '../../../shared/core/contracts/run-event.ts'
import { answerStream, type StreamOptions } from '../answer-stream.ts'
import type { ApiApp } from '../api-app.ts'
import type { ApiServices } from '../api-services.ts'
import { needs } from '../authentication/needs.ts'
import { badRequest, failure, notFound } from '../openapi/answers.ts'
import { afterEvent, runParameters, streamHeaders, strictQuery } from '../openapi/parameters.ts'
import { ownServices } from '../own-services.ts'

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
  summary: 'Follow a run live',
  description:
    'Server-sent events. Each stored event is sent once, with its sequence number as id; `Last-Event-ID` or `after` continues after that event. In between, events named `run` without an id show the current state of the run. An event named `end` means that the run has ended and all events were sent; if the stream closes without it, reconnect.',
  tags: ['Runs'],
  ...needs('runs:read'),
  request: {
    params: runParameters,
    query: strictQuery({ after: afterEvent }),
    headers: streamHeaders,
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

export function addRunEventRoute(app: ApiApp, services: ApiServices, options: StreamOptions): void {
  app.openapi(followRunEvents, async (context) => {
    const { run } = context.req.valid('param')
    const after = context.req.valid('header')['Last-Event-ID'] ?? context.req.valid('query').after ?? 0
    const { runs } = ownServices(services, context)
    const followed = {
      name: 'run',
      pageSize: 500,
      get: () => runs.get(run),
      events: (query: { after: number; limit: number }) => runs.events(run, query),
    } as const
    return answerStream(context, followed, { after, id: run, ...options })
  })
}

import { createRoute } from '@hono/zod-openapi'
import { extendRequestSchema, resumeRequestSchema, runSchema } from '../../../shared/core/contracts/run.ts'
import type { ApiApp, ApiContext } from '../api-app.ts'
import type { ApiServices } from '../api-services.ts'
import { needs } from '../authentication/needs.ts'
import { badBody, conflict, failure, json, notFound, optionalBody } from '../openapi/answers.ts'
import { extendExample, resumeExample } from '../openapi/examples.ts'
import { runParameters } from '../openapi/parameters.ts'
import { ownServices } from '../own-services.ts'

const tags = ['Runs']
const request = { params: runParameters }
const answers = { 200: json('The run after the change.', runSchema), ...notFound, ...conflict, ...failure }

const cancelRun = createRoute({
  method: 'post',
  path: '/v1/runs/{run}/cancel',
  operationId: 'cancelRun',
  summary: 'Cancel a run permanently',
  description:
    'Episodes that never ended become `cancelled`. Ended ones keep their results. An episode that was waiting to continue or repeat keeps its earlier end.',
  tags,
  ...needs('runs:write'),
  request,
  responses: answers,
})

const pauseRun = createRoute({
  method: 'post',
  path: '/v1/runs/{run}/pause',
  operationId: 'pauseRun',
  summary: 'Pause a run',
  description: 'Its episodes stop at their next call and keep all their results so far.',
  tags,
  ...needs('runs:write'),
  request,
  responses: answers,
})

const resumeRun = createRoute({
  method: 'post',
  path: '/v1/runs/{run}/resume',
  operationId: 'resumeRun',
  summary: 'Resume a paused run',
  description:
    'If the run paused at a cap, send a higher cap. Each cap in the body replaces the old cap. The API refuses a cap that is already used up.',
  tags,
  ...needs('runs:write'),
  request: { ...request, body: optionalBody(resumeRequestSchema, resumeExample) },
  responses: { ...answers, ...badBody },
})

const extendRun = createRoute({
  method: 'post',
  path: '/v1/runs/{run}/extend',
  operationId: 'extendRun',
  summary: 'Extend an ended run with more budget',
  description:
    'Continues every episode from its end, such as a search with more iterations. No call is paid twice. Until an episode ends again, its earlier result counts.',
  tags,
  ...needs('runs:write'),
  request: { ...request, body: optionalBody(extendRequestSchema, extendExample) },
  responses: { ...answers, ...badBody },
})

const retryRun = createRoute({
  method: 'post',
  path: '/v1/runs/{run}/retry',
  operationId: 'retryRun',
  summary: 'Retry the errored episodes of an ended run',
  tags,
  ...needs('runs:write'),
  request,
  responses: answers,
})

export function addRunActionRoutes(app: ApiApp, services: ApiServices): void {
  const runsOf = (context: ApiContext) => ownServices(services, context).runs

  app.openapi(cancelRun, async (context) =>
    context.json(await runsOf(context).cancel(context.req.valid('param').run), 200),
  )
  app.openapi(pauseRun, async (context) =>
    context.json(await runsOf(context).pause(context.req.valid('param').run), 200),
  )
  app.openapi(resumeRun, async (context) => {
    const { run } = context.req.valid('param')
    return context.json(await runsOf(context).resume(run, context.req.valid('json')), 200)
  })
  app.openapi(extendRun, async (context) => {
    const { run } = context.req.valid('param')
    return context.json(await runsOf(context).extend(run, context.req.valid('json')), 200)
  })
  app.openapi(retryRun, async (context) =>
    context.json(await runsOf(context).retry(context.req.valid('param').run), 200),
  )
}

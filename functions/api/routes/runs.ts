import { createRoute } from '@hono/zod-openapi'
import { listQuerySchema, listSchema } from '../../../shared/contracts/list.ts'
import { runRequestSchema, runSchema } from '../../../shared/contracts/run.ts'
import type { ApiApp } from '../api-app.ts'
import type { ApiServices } from '../api-services.ts'
import { badBody, badRequest, body, conflict, failure, json, notFound } from '../openapi/answers.ts'
import { runExample } from '../openapi/examples.ts'
import { idempotencyHeaders, idempotencyOption, runParameters, strictQuery } from '../openapi/parameters.ts'

const tags = ['Runs']

const createRun = createRoute({
  method: 'post',
  path: '/v1/runs',
  operationId: 'createRun',
  summary: 'Start a run',
  description:
    "Plays an environment's tasks with one method and one model. Answers at once, however many episodes it has.",
  tags,
  request: { headers: idempotencyHeaders, body: body(runRequestSchema, runExample) },
  responses: { 201: json('The run, which has begun.', runSchema), ...badBody, ...conflict, ...failure },
})

const listRuns = createRoute({
  method: 'get',
  path: '/v1/runs',
  operationId: 'listRuns',
  summary: 'List runs, newest first',
  tags,
  request: { query: strictQuery(listQuerySchema.shape) },
  responses: {
    200: json('A page of runs.', listSchema(runSchema).meta({ id: 'RunList' })),
    ...badRequest,
    ...failure,
  },
})

const getRun = createRoute({
  method: 'get',
  path: '/v1/runs/{run}',
  operationId: 'getRun',
  summary: 'See how a run stands',
  tags,
  request: { params: runParameters },
  responses: { 200: json('The run.', runSchema), ...notFound, ...failure },
})

export function addRunRoutes(app: ApiApp, { runs }: ApiServices): void {
  app.openapi(createRun, async (context) => {
    const run = await runs.create(context.req.valid('json'), idempotencyOption(context.req.valid('header')))
    return context.json(run, 201, { Location: `/v1/runs/${run.id}` })
  })
  app.openapi(listRuns, async (context) => context.json(await runs.list(context.req.valid('query')), 200))
  app.openapi(getRun, async (context) => context.json(await runs.get(context.req.valid('param').run), 200))
}

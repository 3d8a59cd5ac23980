import { createRoute } from '@hono/zod-openapi'
import { runEstimateSchema } from '../../../shared/core/contracts/estimate.ts'
import { listSchema } from '../../../shared/core/contracts/list.ts'
import { runRequestSchema, runSchema } from '../../../shared/core/contracts/run.ts'
import type { ApiApp } from '../api-app.ts'
import type { ApiServices } from '../api-services.ts'
import { needs } from '../authentication/needs.ts'
import { badBody, badRequest, body, conflict, failure, json, notFound } from '../openapi/answers.ts'
import { runExample } from '../openapi/examples.ts'
import { filterDescription, readRunsQuery, runsQuery } from '../openapi/label-filters.ts'
import {
  dryRunQuery,
  idempotencyHeaders,
  idempotencyOption,
  runParameters,
  strictQuery,
} from '../openapi/parameters.ts'
import { ownServices } from '../own-services.ts'

const tags = ['Runs']

const createRun = createRoute({
  method: 'post',
  path: '/v1/runs',
  operationId: 'createRun',
  summary: 'Start a run',
  description:
    "Plays an environment's tasks with one method and one model. The API answers at once, however many episodes the run has. With `dry_run=true` it stores and plays nothing, and returns an estimate of the run.",
  tags,
  ...needs('runs:write'),
  request: {
    headers: idempotencyHeaders,
    query: strictQuery({ dry_run: dryRunQuery }),
    body: body(runRequestSchema, runExample),
  },
  responses: {
    200: json('With `dry_run=true`: the estimate of the run.', runEstimateSchema),
    201: json('The new run.', runSchema),
    ...badBody,
    ...conflict,
    ...failure,
  },
})

const listRuns = createRoute({
  method: 'get',
  path: '/v1/runs',
  operationId: 'listRuns',
  summary: 'List runs, newest first',
  description: `${filterDescription} A parameter \`metadata.NAME\` is a filter too: \`metadata.team=vision\`.`,
  tags,
  ...needs('runs:read'),
  request: { query: runsQuery },
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
  summary: 'Get a run',
  tags,
  ...needs('runs:read'),
  request: { params: runParameters },
  responses: { 200: json('The run.', runSchema), ...notFound, ...failure },
})

export function addRunRoutes(app: ApiApp, services: ApiServices): void {
  app.openapi(createRun, async (context) => {
    const { forecasts, runs } = ownServices(services, context)
    const request = context.req.valid('json')
    if (context.req.valid('query').dry_run === 'true')
      return context.json(await forecasts.estimate(request), 200)
    const run = await runs.create(request, idempotencyOption(context.req.valid('header')))
    return context.json(run, 201, { Location: `/v1/runs/${run.id}` })
  })
  app.openapi(listRuns, async (context) =>
    context.json(
      await ownServices(services, context).runs.list(readRunsQuery(context.req.valid('query'))),
      200,
    ),
  )
  app.openapi(getRun, async (context) =>
    context.json(await ownServices(services, context).runs.get(context.req.valid('param').run), 200),
  )
}

import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import { listSchema } from '../../../shared/core/contracts/list.ts'
import { loopRequestSchema, loopSchema, resumeLoopSchema } from '../../../shared/core/contracts/loop.ts'
import { loopPlanSchema, loopReportSchema } from '../../../shared/core/contracts/loop-report.ts'
import { loopRecipeInfoSchema } from '../../../shared/core/contracts/loop-settings.ts'
import { listLoopRecipes } from '../../../shared/learn/loops/recipes/recipes.ts'
import type { ApiApp, ApiContext } from '../api-app.ts'
import type { ApiServices } from '../api-services.ts'
import { needs } from '../authentication/needs.ts'
import { badBody, badRequest, body, conflict, failure, json, notFound } from '../openapi/answers.ts'
import { loopExample } from '../openapi/examples.ts'
import { addJobRoutes, jobParameters } from '../openapi/job-routes.ts'
import { listRoute } from '../openapi/list-route.ts'
import { dryRunQuery, idempotencyHeaders, idempotencyOption, strictQuery } from '../openapi/parameters.ts'
import { ownServices } from '../own-services.ts'
import { pageOf } from '../page-of.ts'

const tags = ['Loops']
const params = jobParameters('loop')

const createLoop = createRoute({
  method: 'post',
  path: '/v1/loops',
  operationId: 'createLoop',
  summary: 'Improve a model in rounds: explore, build, train, serve, evaluate',
  description:
    'The API answers at once. Every stage is an ordinary run, dataset, training or endpoint, created only once, however often the service is killed. With `dry_run=true` the API creates nothing: it lists the stages and estimates their runs.',
  tags,
  ...needs('runs:write'),
  request: {
    headers: idempotencyHeaders,
    query: strictQuery({ dry_run: dryRunQuery }),
    body: body(loopRequestSchema, loopExample),
  },
  responses: {
    200: json('With `dry_run=true`: the plan of the loop.', loopPlanSchema),
    201: json('The queued loop.', loopSchema),
    ...badBody,
    ...notFound,
    ...conflict,
    ...failure,
  },
})

const getLoopReport = createRoute({
  method: 'get',
  path: '/v1/loops/{loop}/report',
  operationId: 'getLoopReport',
  summary: 'Compare the model of each round with the initial model and the control',
  description:
    'Returns success rates with 95 % intervals, paired differences, the usage of each stage, and the lineage of each model. If too many episodes of an evaluation errored, a sentence replaces its numbers.',
  tags,
  ...needs('runs:read'),
  request: {
    params,
    query: strictQuery({
      format: z
        .enum(['json', 'markdown'])
        .default('json')
        .describe('`markdown`: a page with tables instead of JSON.'),
    }),
  },
  responses: {
    200: {
      description: 'The report.',
      content: {
        'application/json': { schema: loopReportSchema },
        'text/markdown': { schema: z.string() },
      },
    },
    ...badRequest,
    ...notFound,
    ...failure,
  },
})

const listRecipes = listRoute({
  path: '/v1/loop-recipes',
  operationId: 'listLoopRecipes',
  summary: 'List the loop recipes: every setting of a paper’s loop with its source',
  tags,
  page: 'A page of recipes.',
  schema: listSchema(loopRecipeInfoSchema).meta({ id: 'LoopRecipeList' }),
})

export function addLoopRoutes(app: ApiApp, services: ApiServices): void {
  const loopsOf = (context: ApiContext) => {
    const { loops } = ownServices(services, context)
    if (loops !== undefined) return loops
    throw new EspalierError('not_supported', 'This service makes no loops.')
  }

  app.openapi(createLoop, async (context) => {
    const request = context.req.valid('json')
    if (context.req.valid('query').dry_run === 'true') {
      context.header('Cache-Control', 'no-store')
      return context.json(await loopsOf(context).plan(request), 200)
    }
    const loop = await loopsOf(context).create(request, idempotencyOption(context.req.valid('header')))
    return context.json(loop, 201, { Location: `/v1/loops/${loop.id}` })
  })
  addJobRoutes(app, {
    name: 'loop',
    schema: loopSchema,
    list: { summary: 'List loops, newest first' },
    get: { summary: 'Get a loop: its rounds, and the stages of each' },
    changes: {
      pause: {
        summary: 'Pause a loop',
        description:
          'The run or training in progress stops too, and keeps its results; a dataset build finishes.',
      },
      resume: {
        summary: 'Resume a paused loop',
        description:
          'A paused stage continues; a failed stage is retried. Each cap in the body replaces the old cap. The API refuses a cap that is already used up.',
        body: resumeLoopSchema,
      },
      cancel: {
        summary: 'Cancel a loop permanently',
        description: 'Cancels the run or training in progress. Its models, datasets and runs stay.',
      },
    },
    jobsOf: loopsOf,
  })
  app.openapi(getLoopReport, async (context) => {
    const report = await loopsOf(context).report(context.req.valid('param').loop)
    if (context.req.valid('query').format === 'json') return context.json(report, 200)
    const { loopMarkdown } = await import('../../../shared/learn/loops/report/loop-markdown.ts')
    return context.body(loopMarkdown(report), 200, { 'Content-Type': 'text/markdown; charset=utf-8' })
  })
  app.openapi(listRecipes, (context) =>
    context.json(pageOf(listLoopRecipes(), context.req.valid('query')), 200),
  )
}

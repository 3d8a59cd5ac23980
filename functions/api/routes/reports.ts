import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import {
  budgetKindSchema,
  curveSchema,
  curvesRequestSchema,
  curvesSchema,
} from '../../../shared/core/contracts/curve.ts'
import { leaderboardRequestSchema, leaderboardSchema } from '../../../shared/core/contracts/leaderboard.ts'
import {
  compareRequestSchema,
  comparisonSchema,
  intervalKindSchema,
  reportSchema,
  successQuerySchema,
  successRatesSchema,
} from '../../../shared/core/contracts/report.ts'
import { digest } from '../../../shared/core/engine/digest.ts'
import { objectKeys } from '../../../shared/core/engine/keys.ts'
import type { Rendered } from '../../../shared/insight/reports/export/render.ts'
import { answerText } from '../answer-large.ts'
import type { ApiApp, ApiContext } from '../api-app.ts'
import type { ApiServices } from '../api-services.ts'
import { needs } from '../authentication/needs.ts'
import {
  badBody,
  badRequest,
  body,
  conflict,
  failure,
  json,
  notFound,
  seeElsewhere,
  storedElsewhere,
} from '../openapi/answers.ts'
import { compareExample, curvesExample, leaderboardExample } from '../openapi/examples.ts'
import { runParameters, strictQuery } from '../openapi/parameters.ts'
import { ownServices } from '../own-services.ts'

const tags = ['Reports']

const formatSchema = z
  .enum(['json', 'csv', 'md'])
  .default('json')
  .describe('`csv`: one figure per line, for statistics programs. `md`: tables in Markdown.')

const mediaTypes = {
  json: 'application/json',
  csv: 'text/csv; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
}

function inThreeFormats<Schema extends z.ZodType>(description: string, schema: Schema) {
  const { content } = json(description, schema)
  const text = { schema: z.string() }
  return { description, content: { ...content, 'text/csv': text, 'text/markdown': text } }
}

const getReport = createRoute({
  method: 'get',
  path: '/v1/runs/{run}/report',
  operationId: 'getReport',
  summary: 'Get a run’s report so far',
  description:
    'Means with 95 % intervals, pass@k and pass^k, steps, tokens and money: overall, by task type, by difficulty and by task. Errored episodes count in no mean.',
  tags,
  ...needs('runs:read'),
  request: {
    params: runParameters,
    query: strictQuery({ interval: intervalKindSchema.default('t'), format: formatSchema }),
  },
  responses: {
    200: inThreeFormats('The report.', reportSchema),
    ...storedElsewhere,
    ...badRequest,
    ...notFound,
    ...failure,
  },
})

const compareRuns = createRoute({
  method: 'post',
  path: '/v1/reports/compare',
  operationId: 'compareRuns',
  summary: 'Compare runs',
  description:
    'Compares each run with the first by paired differences on the tasks that all runs share, and lists the differences between their settings.',
  tags,
  ...needs('runs:read'),
  request: { query: strictQuery({ format: formatSchema }), body: body(compareRequestSchema, compareExample) },
  responses: {
    200: inThreeFormats('The comparison.', comparisonSchema),
    ...seeElsewhere,
    ...badBody,
    ...notFound,
    ...conflict,
    ...failure,
  },
})

const getLeaderboard = createRoute({
  method: 'post',
  path: '/v1/reports/leaderboard',
  operationId: 'getLeaderboard',
  summary: 'Get the leaderboard of an experiment: methods × environments',
  description:
    'Runs that differ only in their seeds or name share a cell. In each environment, cells with the same tasks are compared in pairs; p-values are corrected by Holm’s method for all pairs of the response. At most 200 runs.',
  tags,
  ...needs('runs:read'),
  request: { body: body(leaderboardRequestSchema, leaderboardExample) },
  responses: {
    200: json('The leaderboard.', leaderboardSchema),
    ...seeElsewhere,
    ...badBody,
    ...notFound,
    ...failure,
  },
})

const getCurve = createRoute({
  method: 'get',
  path: '/v1/runs/{run}/curve',
  operationId: 'getCurve',
  summary: 'Get the success rate as a function of an episode’s budget',
  description:
    'Read from the journals: for each budget, the answers that the episodes would have given if they had stopped there. For a run with more than 500 scored episodes, it reads a seeded sample of tasks.',
  tags,
  ...needs('runs:read'),
  request: {
    params: runParameters,
    query: strictQuery({ over: budgetKindSchema.default('calls'), format: formatSchema }),
  },
  responses: {
    200: inThreeFormats('The curve.', curveSchema),
    ...storedElsewhere,
    ...badRequest,
    ...notFound,
    ...failure,
  },
})

const getCurves = createRoute({
  method: 'post',
  path: '/v1/reports/curves',
  operationId: 'getCurves',
  summary: 'Get the success rate by budget of several runs',
  description:
    'Compares the runs on the tasks that they share and at the same budgets. It reads at most 1,000 journals of all runs together; if there are more, it reads a seeded sample of tasks.',
  tags,
  ...needs('runs:read'),
  request: { query: strictQuery({ format: formatSchema }), body: body(curvesRequestSchema, curvesExample) },
  responses: {
    200: inThreeFormats('The curves.', curvesSchema),
    ...seeElsewhere,
    ...badBody,
    ...notFound,
    ...conflict,
    ...failure,
  },
})

const getSuccess = createRoute({
  method: 'get',
  path: '/v1/reports/success',
  operationId: 'getSuccess',
  summary: 'Get the success rates of several runs',
  description:
    'The same rates as in each run’s report, but usually from counters alone. It reads episodes only if necessary, at most 5,000 per run and 10,000 in all.',
  tags,
  ...needs('runs:read'),
  request: { query: strictQuery(successQuerySchema.shape) },
  responses: {
    200: json('The rates, in the order of the runs.', successRatesSchema),
    ...badRequest,
    ...notFound,
    ...failure,
  },
})

async function renderAs(value: Rendered, format: 'csv' | 'md'): Promise<string> {
  const { render } = await import('../../../shared/insight/reports/export/render.ts')
  return render(value, format)
}

export function addReportRoutes(app: ApiApp, services: ApiServices): void {
  const answer = async (
    context: ApiContext,
    value: Rendered,
    format: z.infer<typeof formatSchema>,
    asked: readonly string[],
  ) => {
    const [run = ''] = asked
    const text = format === 'json' ? JSON.stringify(value) : await renderAs(value, format)
    const file = `${value.object}.${format}`
    // The key covers the whole query, so that no other answer overwrites it before the client fetches it.
    const key = objectKeys.report(run, `${digest(JSON.stringify(asked))}-${file}`)
    const stored = { key, fileName: `${run}-${file}` }
    return answerText(context, services.objects, { text, type: mediaTypes[format] }, stored)
  }

  app.openapi(getReport, async (context) => {
    const { run } = context.req.valid('param')
    const { format, interval } = context.req.valid('query')
    const report = await ownServices(services, context).reports.report(run, { interval })
    return answer(context, report, format, [run, interval])
  })
  app.openapi(compareRuns, async (context) => {
    const { runs, interval } = context.req.valid('json')
    const comparison = await ownServices(services, context).reports.compare(runs, { interval })
    return answer(context, comparison, context.req.valid('query').format, [...runs, interval])
  })
  app.openapi(getLeaderboard, async (context) => {
    const selection = context.req.valid('json')
    const leaderboard = await ownServices(services, context).reports.leaderboard(selection)
    const [first = ''] = leaderboard.cells.flatMap(({ runs }) => runs.map(({ run }) => run))
    const stored = {
      key: objectKeys.report(first, `${digest(JSON.stringify(selection))}-leaderboard.json`),
      fileName: 'leaderboard.json',
    }
    const text = JSON.stringify(leaderboard)
    return answerText(context, services.objects, { text, type: mediaTypes.json }, stored)
  })
  app.openapi(getSuccess, async (context) => {
    const { runs } = context.req.valid('query')
    return context.json(await ownServices(services, context).reports.success(runs), 200)
  })
  app.openapi(getCurve, async (context) => {
    const { run } = context.req.valid('param')
    const { format, over } = context.req.valid('query')
    return answer(context, await ownServices(services, context).reports.curve(run, over), format, [run, over])
  })
  app.openapi(getCurves, async (context) => {
    const { runs, over } = context.req.valid('json')
    const curves = await ownServices(services, context).reports.curves(runs, over)
    return answer(context, curves, context.req.valid('query').format, [...runs, over])
  })
}

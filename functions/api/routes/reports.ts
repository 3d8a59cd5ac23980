import { createRoute } from '@hono/zod-openapi'
import { compareRequestSchema, comparisonSchema, reportSchema } from '../../../shared/contracts/report.ts'
import { objectKeys } from '../../../shared/engine/keys.ts'
import { answerLarge } from '../answer-large.ts'
import type { ApiApp } from '../api-app.ts'
import type { ApiServices } from '../api-services.ts'
import { needs } from '../authentication/needs.ts'
import { badBody, body, conflict, failure, json, notFound, storedElsewhere } from '../openapi/answers.ts'
import { compareExample } from '../openapi/examples.ts'
import { runParameters } from '../openapi/parameters.ts'
import { ownServices } from '../own-services.ts'

const tags = ['Reports']

const getReport = createRoute({
  method: 'get',
  path: '/v1/runs/{run}/report',
  operationId: 'getReport',
  summary: 'What a run came to so far',
  description:
    'Means with 95 % intervals, steps, tokens and money, per task and in all. Errored episodes count in no mean.',
  tags,
  ...needs('runs:read'),
  request: { params: runParameters },
  responses: { 200: json('The report.', reportSchema), ...storedElsewhere, ...notFound, ...failure },
})

const compareRuns = createRoute({
  method: 'post',
  path: '/v1/reports/compare',
  operationId: 'compareRuns',
  summary: 'Put runs side by side',
  description: 'On the tasks they share, each compared with the first by paired differences.',
  tags,
  ...needs('runs:read'),
  request: { body: body(compareRequestSchema, compareExample) },
  responses: {
    200: json('The comparison.', comparisonSchema),
    ...badBody,
    ...notFound,
    ...conflict,
    ...failure,
  },
})

export function addReportRoutes(app: ApiApp, services: ApiServices): void {
  app.openapi(getReport, async (context) => {
    const { run } = context.req.valid('param')
    const report = await ownServices(services, context).reports.report(run)
    const stored = { key: objectKeys.report(run), fileName: `${run}-report.json` }
    return answerLarge(context, services.objects, report, stored)
  })
  app.openapi(compareRuns, async (context) =>
    context.json(await ownServices(services, context).reports.compare(context.req.valid('json').runs), 200),
  )
}

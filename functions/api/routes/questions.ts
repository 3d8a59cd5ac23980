import { createRoute } from '@hono/zod-openapi'
import { callQuestionSchema, questionEstimateSchema } from '../../../shared/core/contracts/call-question.ts'
import { runSchema } from '../../../shared/core/contracts/run.ts'
import type { ApiApp } from '../api-app.ts'
import type { ApiServices } from '../api-services.ts'
import { needs } from '../authentication/needs.ts'
import { badBody, body, conflict, failure, json, notFound } from '../openapi/answers.ts'
import { dryRunQuery, idParameter, runParameters, strictQuery } from '../openapi/parameters.ts'
import { ownServices } from '../own-services.ts'

const askQuestion = createRoute({
  method: 'post',
  path: '/v1/runs/{run}/episodes/{episode}/questions',
  operationId: 'askQuestion',
  summary: 'Send the prompt of a call to another model',
  description:
    'Creates a run of one episode that asks the model; it has costs, caps and a journal like any other run, and its calls contain the answer. To keep nothing, delete the run. With `dry_run=true` the API asks nothing and returns the price.',
  tags: ['Episodes'],
  ...needs('runs:write'),
  request: {
    params: runParameters.extend({ episode: idParameter('The id of an episode.', 'ep-0000000') }),
    query: strictQuery({ dry_run: dryRunQuery }),
    body: body(callQuestionSchema, {
      call: 'node/0/sample/0',
      model: { endpoint: 'simulated', id: 'simulated' },
    }),
  },
  responses: {
    200: json('With `dry_run=true`: the price of the question.', questionEstimateSchema),
    201: json('The new run.', runSchema),
    ...badBody,
    ...notFound,
    ...conflict,
    ...failure,
  },
})

export function addQuestionRoutes(app: ApiApp, services: ApiServices): void {
  app.openapi(askQuestion, async (context) => {
    const { questions } = ownServices(services, context)
    const place = context.req.valid('param')
    const question = context.req.valid('json')
    if (context.req.valid('query').dry_run === 'true')
      return context.json(await questions.estimate(place, question), 200)
    const run = await questions.ask(place, question)
    return context.json(run, 201, { Location: `/v1/runs/${run.id}` })
  })
}

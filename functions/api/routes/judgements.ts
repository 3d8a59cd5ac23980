import { createRoute } from '@hono/zod-openapi'
import {
  deletedJudgementSchema,
  episodeJudgementSchema,
  judgementFilterShape,
  judgementPlaceShape,
  judgementRequestSchema,
  scoreNameSchema,
  scoreSummarySchema,
} from '../../../shared/core/contracts/judgement.ts'
import { listQuerySchema, listSchema, toList } from '../../../shared/core/contracts/list.ts'
import {
  rubricScoringRequestSchema,
  rubricScoringSchema,
} from '../../../shared/core/contracts/rubric-scoring.ts'
import {
  recordScoresSchema,
  scoreReportQueryShape,
  scoreReportSchema,
} from '../../../shared/core/contracts/scoring.ts'
import type { JudgedPlace } from '../../../shared/insight/judgements/open-judgements.ts'
import type { ApiApp, ApiContext } from '../api-app.ts'
import type { ApiServices } from '../api-services.ts'
import { needs } from '../authentication/needs.ts'
import { nameJudge } from '../name-judge.ts'
import { badBody, badRequest, body, conflict, failure, json, notFound } from '../openapi/answers.ts'
import {
  judgementExample,
  judgementRequestExample,
  recordScoresExample,
  rubricExample,
  scoreExample,
} from '../openapi/judgement-examples.ts'
import { idParameter, runParameters, strictQuery } from '../openapi/parameters.ts'
import { ownServices } from '../own-services.ts'

const tags = ['Judgements']

const judgementListSchema = listSchema(episodeJudgementSchema).meta({ id: 'JudgementList' })

const placeParameters = runParameters.extend({
  episode: idParameter('The id of an episode.', 'ep-0000000'),
  name: scoreNameSchema,
})

const listJudgements = createRoute({
  method: 'get',
  path: '/v1/runs/{run}/judgements',
  operationId: 'listJudgements',
  summary: 'List the judgements of a run’s episodes by people and scorers',
  description: 'Sorted by name, episode and step.',
  tags,
  ...needs('runs:read'),
  request: {
    params: runParameters,
    query: strictQuery({ ...listQuerySchema.shape, ...judgementFilterShape }),
  },
  responses: {
    200: json('A page of judgements.', judgementListSchema),
    ...badRequest,
    ...notFound,
    ...failure,
  },
})

const listScores = createRoute({
  method: 'get',
  path: '/v1/runs/{run}/scores',
  operationId: 'listScores',
  summary: 'List the scores that a run’s episodes have beside their reward',
  tags,
  ...needs('runs:read'),
  request: { params: runParameters },
  responses: {
    200: json('All scores of the run.', listSchema(scoreSummarySchema).meta({ id: 'ScoreList' }), {
      object: 'list',
      data: [scoreExample],
      has_more: false,
      first_id: scoreExample.id,
      last_id: scoreExample.id,
    }),
    ...notFound,
    ...failure,
  },
})

const getScore = createRoute({
  method: 'get',
  path: '/v1/runs/{run}/scores/{name}',
  operationId: 'getScore',
  summary: 'Get a score’s figures and its agreement with the reward or another score',
  description:
    'The mean with a 95 % interval clustered by task, and the number of episodes without a value, by reason. For episodes with both values: confusion counts, accuracy, Cohen’s kappa, Pearson’s and Spearman’s correlation.',
  tags,
  ...needs('runs:read'),
  request: {
    params: runParameters.extend({ name: scoreNameSchema }),
    query: strictQuery(scoreReportQueryShape),
  },
  responses: {
    200: json('The figures of the score.', scoreReportSchema),
    ...badRequest,
    ...notFound,
    ...failure,
  },
})

const recordScores = createRoute({
  method: 'post',
  path: '/v1/runs/{run}/judgements',
  operationId: 'recordScores',
  summary: 'Record a scorer’s judgements of episodes',
  description:
    'Replaces the judgements of any scorer under this name. If the scorer failed, send an error instead of a value: it never counts as zero.',
  tags,
  ...needs('runs:write'),
  request: { params: runParameters, body: body(recordScoresSchema, recordScoresExample) },
  responses: {
    200: json('The judgements, in their order.', judgementListSchema),
    ...badBody,
    ...notFound,
    ...conflict,
    ...failure,
  },
})

const scoreByRubric = createRoute({
  method: 'post',
  path: '/v1/runs/{run}/scorings',
  operationId: 'scoreByRubric',
  summary: 'Have a model grade ended episodes by a rubric',
  description:
    'A separate run asks the model; it has costs, caps and journals like any other run. Repeat the request with the same body to continue, to get the progress, and to store the judge’s new answers. It skips episodes that the same rubric, prompt and model have graded.',
  tags,
  ...needs('runs:write'),
  request: { params: runParameters, body: body(rubricScoringRequestSchema, rubricExample) },
  responses: {
    200: json('The state of the scoring.', rubricScoringSchema),
    ...badBody,
    ...notFound,
    ...conflict,
    ...failure,
  },
})

const putJudgement = createRoute({
  method: 'put',
  path: '/v1/runs/{run}/episodes/{episode}/judgements/{name}',
  operationId: 'putJudgement',
  summary: 'Judge an episode, or one of its steps, as a person',
  description:
    'Replaces the same person’s earlier judgement under this name. The API refuses judgements of episodes that ended with an error or have not ended.',
  tags,
  ...needs('runs:write'),
  request: {
    params: placeParameters,
    query: strictQuery(judgementPlaceShape),
    body: body(judgementRequestSchema, judgementRequestExample),
  },
  responses: {
    200: json('The judgement.', episodeJudgementSchema, judgementExample),
    ...badBody,
    ...notFound,
    ...conflict,
    ...failure,
  },
})

const deleteJudgement = createRoute({
  method: 'delete',
  path: '/v1/runs/{run}/episodes/{episode}/judgements/{name}',
  operationId: 'deleteJudgement',
  summary: 'Delete a person’s judgement',
  tags,
  ...needs('runs:write'),
  request: { params: placeParameters, query: strictQuery(judgementPlaceShape) },
  responses: {
    200: json('The judgement is deleted.', deletedJudgementSchema),
    ...badRequest,
    ...notFound,
    ...failure,
  },
})

export function addJudgementRoutes(app: ApiApp, services: ApiServices): void {
  const judgementsOf = (context: ApiContext) => ownServices(services, context).judgements

  async function placeOf(
    context: ApiContext,
    place: Pick<JudgedPlace, 'run' | 'episode' | 'name'>,
    { by, node = null }: { by?: string | undefined; node?: number | undefined | null },
  ): Promise<JudgedPlace> {
    return { ...place, node, person: await nameJudge(services.keys, context, by) }
  }

  app.openapi(listJudgements, async (context) => {
    const { run } = context.req.valid('param')
    return context.json(await judgementsOf(context).list(run, context.req.valid('query')), 200)
  })
  app.openapi(listScores, async (context) =>
    context.json(await judgementsOf(context).scores(context.req.valid('param').run), 200),
  )
  app.openapi(getScore, async (context) => {
    const { name, run } = context.req.valid('param')
    return context.json(await judgementsOf(context).report(run, name, context.req.valid('query')), 200)
  })
  app.openapi(recordScores, async (context) => {
    const { run } = context.req.valid('param')
    return context.json(
      toList(await judgementsOf(context).record(run, context.req.valid('json')), false),
      200,
    )
  })
  app.openapi(scoreByRubric, async (context) => {
    const { run } = context.req.valid('param')
    const { scorings } = ownServices(services, context)
    return context.json(await scorings.advance(run, context.req.valid('json')), 200)
  })
  app.openapi(putJudgement, async (context) => {
    const place = await placeOf(context, context.req.valid('param'), context.req.valid('query'))
    return context.json(await judgementsOf(context).judge(place, context.req.valid('json')), 200)
  })
  app.openapi(deleteJudgement, async (context) => {
    const place = await placeOf(context, context.req.valid('param'), context.req.valid('query'))
    const id = await judgementsOf(context).withdraw(place)
    return context.json({ id, object: 'judgement' as const, deleted: true as const }, 200)
  })
}

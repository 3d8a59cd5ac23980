import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { listSchema, toList } from '../../../shared/core/contracts/list.ts'
import {
  resumeTrainingSchema,
  trainerInfoSchema,
  trainingPointSchema,
  trainingRecipeInfoSchema,
  trainingRequestSchema,
  trainingSchema,
} from '../../../shared/core/contracts/training.ts'
import { describeRecipes } from '../../../shared/learn/trainings/recipes.ts'
import type { ApiApp, ApiContext } from '../api-app.ts'
import type { ApiServices } from '../api-services.ts'
import { needs } from '../authentication/needs.ts'
import { badBody, body, conflict, failure, json, notFound } from '../openapi/answers.ts'
import { trainingExample } from '../openapi/examples.ts'
import { addJobRoutes, jobParameters } from '../openapi/job-routes.ts'
import { listRoute } from '../openapi/list-route.ts'
import { idempotencyHeaders, idempotencyOption, idParameter } from '../openapi/parameters.ts'
import { ownServices } from '../own-services.ts'
import { pageOf } from '../page-of.ts'

const tags = ['Trainings']
const params = jobParameters('training')

const createTraining = createRoute({
  method: 'post',
  path: '/v1/trainings',
  operationId: 'createTraining',
  summary: 'Train a model on datasets',
  description:
    'The API answers at once. It refuses a dataset of this training, or of the training of its base, that has tasks held out for evaluation. Before the trainer loads weights, it measures the rows with the tokenizer of the base. The model is registered when the status is `succeeded`.',
  tags,
  ...needs('runs:write'),
  request: { headers: idempotencyHeaders, body: body(trainingRequestSchema, trainingExample) },
  responses: {
    201: json('The queued training.', trainingSchema),
    ...badBody,
    ...notFound,
    ...conflict,
    ...failure,
  },
})

const listTrainingMetrics = createRoute({
  method: 'get',
  path: '/v1/trainings/{training}/metrics',
  operationId: 'listTrainingMetrics',
  summary: 'Get every logged step of a training',
  tags,
  ...needs('runs:read'),
  request: { params },
  responses: {
    200: json(
      'The steps in order, at most about 2,000.',
      listSchema(
        trainingPointSchema
          .extend({ id: z.string().describe('The step number.') })
          .meta({ id: 'TrainingMetric' }),
      ).meta({ id: 'TrainingMetricList' }),
    ),
    ...notFound,
    ...failure,
  },
})

const registerTrainingCheckpoint = createRoute({
  method: 'post',
  path: '/v1/trainings/{training}/checkpoints/{step}/register',
  operationId: 'registerTrainingCheckpoint',
  summary: 'Register the weights of a checkpoint as a model',
  description: 'Registers one model per step: a repeated request returns the same model.',
  tags,
  ...needs('runs:write'),
  request: {
    params: params.extend({ step: idParameter('The step of a checkpoint.', '120') }),
  },
  responses: {
    200: json('The model.', z.object({ model: z.string() })),
    ...notFound,
    ...conflict,
    ...failure,
  },
})

const listTrainingRecipes = listRoute({
  path: '/v1/training-recipes',
  operationId: 'listTrainingRecipes',
  summary: 'List the training recipes with their hyperparameters',
  tags,
  page: 'A page of recipes.',
  schema: listSchema(trainingRecipeInfoSchema).meta({ id: 'TrainingRecipeList' }),
})

const listTrainers = listRoute({
  path: '/v1/trainers',
  operationId: 'listTrainers',
  summary: 'List the trainers of this service',
  tags,
  page: 'A page of trainers.',
  schema: listSchema(trainerInfoSchema).meta({ id: 'TrainerList' }),
})

export function addTrainingRoutes(app: ApiApp, services: ApiServices): void {
  const trainingsOf = (context: ApiContext) => ownServices(services, context).trainings

  app.openapi(createTraining, async (context) => {
    const options = idempotencyOption(context.req.valid('header'))
    const training = await trainingsOf(context).create(context.req.valid('json'), options)
    return context.json(training, 201, { Location: `/v1/trainings/${training.id}` })
  })
  addJobRoutes(app, {
    name: 'training',
    schema: trainingSchema,
    list: { summary: 'List trainings, newest first' },
    get: { summary: 'Get a training' },
    changes: {
      cancel: {
        summary: 'Cancel a training permanently',
        description:
          'The trainer stops within some seconds. No model is registered, and the checkpoints are removed.',
      },
      pause: {
        summary: 'Pause a training at a checkpoint',
        description: 'The trainer saves a checkpoint and exits; then the status is `paused`.',
      },
      resume: {
        summary: 'Continue a paused or failed training from its last checkpoint',
        body: resumeTrainingSchema,
      },
    },
    jobsOf: trainingsOf,
  })
  app.openapi(listTrainingMetrics, async (context) => {
    const points = await trainingsOf(context).metrics(context.req.valid('param').training)
    const data = points.map((point) => ({ id: String(point.step), ...point }))
    return context.json(toList(data, false), 200)
  })
  app.openapi(registerTrainingCheckpoint, async (context) => {
    const { training, step } = context.req.valid('param')
    return context.json({ model: await trainingsOf(context).registerCheckpoint(training, Number(step)) }, 200)
  })
  app.openapi(listTrainingRecipes, (context) =>
    context.json(pageOf(describeRecipes(), context.req.valid('query')), 200),
  )
  app.openapi(listTrainers, (context) =>
    context.json(pageOf(services.trainers(), context.req.valid('query')), 200),
  )
}

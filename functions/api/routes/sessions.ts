import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import {
  type PlaySession,
  playRequestSchema,
  playSaveSchema,
  playSessionSchema,
  playTurnSchema,
} from '../../../shared/core/contracts/play-session.ts'
import {
  importSettingsSchema,
  trajectoryImportSchema,
} from '../../../shared/core/contracts/trajectory-import.ts'
import { showParts } from '../../../shared/core/pictures/show-parts.ts'
import type { HandPlay } from '../../../shared/environments/playing/hand-play.ts'
import { type ApiApp, type ApiContext, principalOf } from '../api-app.ts'
import type { ApiServices } from '../api-services.ts'
import { needs } from '../authentication/needs.ts'
import { badBody, body, conflict, failure, json, notFound, optionalBody } from '../openapi/answers.ts'
import { idParameter } from '../openapi/parameters.ts'
import { importExample } from '../openapi/trajectory-examples.ts'
import { ownServices } from '../own-services.ts'

const tags = ['Sessions']
const sessionParameters = z.object({
  session: idParameter('The id of a session.', 'session-06c5k8q2xg-4hj7k2mn'),
})

const exceeded = {
  422: { ...failure[500], description: 'Too many sessions or steps, or a fault of the environment.' },
}

const startSession = createRoute({
  method: 'post',
  path: '/v1/sessions',
  operationId: 'startSession',
  summary: 'Start a task that a person plays',
  description:
    'The session belongs to the key that starts it. The service keeps it in memory: it ends with the service, or after half an hour without a turn. A service on AWS or on several machines has no sessions.',
  tags,
  ...needs('runs:write'),
  request: { body: body(playRequestSchema, { environment: 'textcraft', task: 'textcraft-00001' }) },
  responses: {
    201: json('The session, at the start of its task.', playSessionSchema),
    ...exceeded,
    ...badBody,
    ...conflict,
    ...failure,
  },
})

const getSession = createRoute({
  method: 'get',
  path: '/v1/sessions/{session}',
  operationId: 'getSession',
  summary: 'Get a session with its steps',
  tags,
  ...needs('runs:write'),
  request: { params: sessionParameters },
  responses: { 200: json('The session.', playSessionSchema), ...notFound, ...conflict, ...failure },
})

const takeTurn = createRoute({
  method: 'post',
  path: '/v1/sessions/{session}/turns',
  operationId: 'takeTurn',
  summary: 'Take an action in a session, or go back to an earlier step',
  description:
    'Keeps the first `from` steps and takes the action after them. The service restores that state from a snapshot, or by repeating the earlier actions.',
  tags,
  ...needs('runs:write'),
  request: {
    params: sessionParameters,
    body: body(playTurnSchema, { from: 0, action: 'get 2 oak log' }),
  },
  responses: {
    200: json('The session after the turn.', playSessionSchema),
    ...exceeded,
    ...badBody,
    ...notFound,
    ...conflict,
    ...failure,
  },
})

const saveSession = createRoute({
  method: 'post',
  path: '/v1/sessions/{session}/save',
  operationId: 'saveSession',
  summary: 'Save a session as an expert’s trajectory',
  description:
    'Imports its steps as one trajectory, with the reward of the last step. The session stays open.',
  tags,
  ...needs('runs:write'),
  request: { params: sessionParameters, body: optionalBody(playSaveSchema, { name: 'by hand' }) },
  responses: {
    201: json(
      'The import, which datasets and recipes can use as an expert.',
      trajectoryImportSchema,
      importExample,
    ),
    ...badBody,
    ...notFound,
    ...conflict,
    ...failure,
  },
})

const endSession = createRoute({
  method: 'delete',
  path: '/v1/sessions/{session}',
  operationId: 'endSession',
  summary: 'End a session',
  tags,
  ...needs('runs:write'),
  request: { params: sessionParameters },
  responses: {
    200: json(
      'The session has ended.',
      z
        .object({ id: z.string(), object: z.literal('play_session'), deleted: z.literal(true) })
        .meta({ id: 'EndedSession' }),
    ),
    ...notFound,
    ...conflict,
    ...failure,
  },
})

export function addSessionRoutes(app: ApiApp, services: ApiServices): void {
  const { objects } = services

  async function show(played: HandPlay, expiresAt: number): Promise<PlaySession> {
    const { canUndo, guide, id, mostSteps, opened, seed, steps, task, validActions } = played
    return {
      id,
      object: 'play_session',
      environment: opened.environment.id,
      data: opened.pack?.digest ?? null,
      task: { id: task.id, description: task.description },
      seed,
      rules: guide.rules,
      tools: (guide.tools ?? []).map((tool) => ({ ...tool })) as PlaySession['tools'],
      valid_actions: validActions === null ? null : [...validActions],
      success_threshold: opened.environment.success_threshold,
      steps: await Promise.all(
        steps.map(async ({ observation, path: { action, answer }, reward, thought }) => ({
          action,
          thought,
          observation: await showParts(observation, objects),
          reward,
          done: answer.done,
          valid: answer.valid,
          progress: answer.progress,
        })),
      ),
      most_steps: mostSteps,
      can_undo: canUndo,
      expires_at: new Date(expiresAt).toISOString(),
    }
  }

  async function showOf(context: ApiContext, id: string): Promise<PlaySession> {
    const { expiresAt, played } = offered(services).get(principalOf(context), id)
    return show(played, expiresAt)
  }

  app.openapi(startSession, async (context) => {
    const owner = principalOf(context)
    const { id } = await offered(services).create(owner, context.req.valid('json'))
    return context.json(await showOf(context, id), 201, { Location: `/v1/sessions/${id}` })
  })
  app.openapi(getSession, async (context) =>
    context.json(await showOf(context, context.req.valid('param').session), 200),
  )
  app.openapi(takeTurn, async (context) => {
    const { session } = context.req.valid('param')
    await offered(services).turn(principalOf(context), session, context.req.valid('json'))
    return context.json(await showOf(context, session), 200)
  })
  app.openapi(saveSession, async (context) => {
    const { session } = context.req.valid('param')
    const { played } = offered(services).get(principalOf(context), session)
    const { name = `${played.task.id}, played by hand` } = context.req.valid('json') ?? {}
    const line = Buffer.from(`${JSON.stringify(played.toLine())}\n`)
    const { definition, environment, pack } = played.opened
    const data = definition.pack === undefined ? undefined : (pack?.digest ?? 'builtin')
    const settings = importSettingsSchema.parse({
      format: 'atif',
      environment: environment.id,
      ...(data !== undefined && { data }),
      success_at: Math.min(1, Math.max(0, environment.success_threshold)),
    })
    const saved = await ownServices(services, context).trajectories.create({ name, settings }, line, {
      more: false,
    })
    return context.json(saved, 201, { Location: `/v1/trajectories/${saved.id}` })
  })
  app.openapi(endSession, async (context) => {
    const { session: id } = context.req.valid('param')
    await offered(services).end(principalOf(context), id)
    return context.json({ id, object: 'play_session' as const, deleted: true as const }, 200)
  })
}

function offered({ plays }: Pick<ApiServices, 'plays'>): NonNullable<ApiServices['plays']> {
  if (plays !== undefined) return plays
  throw new EspalierError(
    'not_supported',
    'This service holds no sessions for people: its processes share no memory. Play the task on a service of one machine: espalier serve.',
  )
}

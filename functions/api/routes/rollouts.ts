import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { episodeId } from '../../../shared/core/contracts/episode-id.ts'
import { errorBodySchema } from '../../../shared/core/contracts/error-body.ts'
import {
  groupEventSchema,
  groupRowsSchema,
  policyChangeSchema,
  rolloutRequestSchema,
  rolloutRunSchema,
  rowsFormSchema,
} from '../../../shared/core/contracts/rollout.ts'
import { episodeCreditSchema, rolloutFiguresSchema } from '../../../shared/core/contracts/rollout-figures.ts'
import { runStatusSchema } from '../../../shared/core/contracts/run.ts'
import { objectKeys } from '../../../shared/core/engine/keys.ts'
import { runOfRollout } from '../../../shared/learn/rollouts/rollouts.ts'
import { answerLarge } from '../answer-large.ts'
import { answerStream, type StreamOptions } from '../answer-stream.ts'
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
  storedElsewhere,
} from '../openapi/answers.ts'
import { groupEventExample, policyExample, rolloutExample } from '../openapi/examples.ts'
import { addJobRoutes, jobParameters } from '../openapi/job-routes.ts'
import {
  afterEvent,
  idempotencyHeaders,
  idempotencyOption,
  idParameter,
  runParameters,
  streamHeaders,
  strictQuery,
} from '../openapi/parameters.ts'
import { ownServices } from '../own-services.ts'

const tags = ['Rollouts']
const params = jobParameters('rollout')

const createRollout = createRoute({
  method: 'post',
  path: '/v1/rollouts',
  operationId: 'createRollout',
  summary: 'Play groups of episodes for a learner',
  description:
    'Creates a run that plays each task in a group of `group_size` episodes. The API answers at once. The event stream of the rollout delivers each group when it ends.',
  tags,
  ...needs('runs:write'),
  request: { headers: idempotencyHeaders, body: body(rolloutRequestSchema, rolloutExample) },
  responses: {
    201: json('The new rollout.', rolloutRunSchema),
    ...badBody,
    ...conflict,
    ...failure,
  },
})

const changeRolloutPolicy = createRoute({
  method: 'post',
  path: '/v1/rollouts/{rollout}/policy',
  operationId: 'changeRolloutPolicy',
  summary: 'Start new episodes on another policy version',
  description:
    'Episodes already begun keep their version and model. A group with several versions names them.',
  tags,
  ...needs('runs:write'),
  request: { params, body: body(policyChangeSchema, policyExample) },
  responses: {
    200: json('The rollout after the change.', rolloutRunSchema),
    ...notFound,
    ...conflict,
    ...failure,
    ...badBody,
  },
})

const followRolloutEvents = createRoute({
  method: 'get',
  path: '/v1/rollouts/{rollout}/events',
  operationId: 'followRollout',
  summary: 'Follow the groups of a rollout as they end',
  description:
    'Server-sent events. Each group is sent once as `group.finished`, with its sequence number as id; `Last-Event-ID` or `after` continues after that event. In between, events named `rollout` without an id show the rollout’s current state. An event named `end` means that all groups were sent; if the stream closes without it, reconnect.',
  tags,
  ...needs('runs:read'),
  request: { params, query: strictQuery({ after: afterEvent }), headers: streamHeaders },
  responses: {
    200: {
      description: 'The events.',
      content: {
        'text/event-stream': {
          schema: z.union([
            groupEventSchema,
            rolloutRunSchema,
            z.object({ status: runStatusSchema }),
            errorBodySchema,
          ]),
          example: `id: 1\nevent: group.finished\ndata: ${JSON.stringify(groupEventExample)}\n\n`,
        },
      },
    },
    ...badRequest,
    ...notFound,
    ...failure,
  },
})

const getRolloutGroup = createRoute({
  method: 'get',
  path: '/v1/rollouts/{rollout}/groups/{group}',
  operationId: 'getRolloutGroup',
  summary: 'Get an ended group with its rows',
  description: 'Rows hold exact tokens, log-probabilities, masks, rewards and advantages.',
  tags,
  ...needs('runs:read'),
  request: {
    params: params.extend({
      group: z.coerce
        .number()
        .int()
        .min(0)
        .meta({ description: 'The position of the group’s task in the rollout.', example: 0 }),
    }),
    query: strictQuery({ form: rowsFormSchema }),
  },
  responses: {
    200: json('The group.', groupRowsSchema),
    ...storedElsewhere,
    ...badRequest,
    ...notFound,
    ...conflict,
    ...failure,
  },
})

const getRolloutFigures = createRoute({
  method: 'get',
  path: '/v1/rollouts/{rollout}/figures',
  operationId: 'getRolloutFigures',
  summary: 'Get the figures of the newest groups',
  description: 'Reward, variance, entropy and policy lag of each group, and their means.',
  tags,
  ...needs('runs:read'),
  request: {
    params,
    query: strictQuery({
      limit: z.coerce.number().int().min(1).max(500).default(100).describe('Maximum number of groups.'),
    }),
  },
  responses: {
    200: json('The figures.', rolloutFiguresSchema),
    ...badRequest,
    ...notFound,
    ...failure,
  },
})

const getEpisodeCredit = createRoute({
  method: 'get',
  path: '/v1/runs/{run}/episodes/{episode}/credit',
  operationId: 'getEpisodeCredit',
  summary: 'Get the advantage and entropy of each node of an ended episode',
  description: 'Advantages require a rollout whose group has ended; entropies require recorded tokens.',
  tags,
  ...needs('runs:read'),
  request: {
    params: runParameters.extend({ episode: idParameter('The id of an episode.', 'ep-0000000') }),
  },
  responses: {
    200: json('The advantages and entropies.', episodeCreditSchema),
    ...notFound,
    ...conflict,
    ...failure,
  },
})

export function addRolloutRoutes(app: ApiApp, services: ApiServices, streams: StreamOptions): void {
  const rolloutsOf = (context: ApiContext) => ownServices(services, context).rollouts

  app.openapi(createRollout, async (context) => {
    const options = idempotencyOption(context.req.valid('header'))
    const rollout = await rolloutsOf(context).create(context.req.valid('json'), options)
    return context.json(rollout, 201, { Location: `/v1/rollouts/${rollout.id}` })
  })
  addJobRoutes(app, {
    name: 'rollout',
    schema: rolloutRunSchema,
    list: {
      summary: 'List rollouts, newest first',
      description:
        'A page searches at most 1,000 runs. If older runs remain, `has_more` is true, even if few were rollouts; pass `last_id` as `after` to continue.',
    },
    get: { summary: 'Get a rollout' },
    changes: {
      cancel: {
        summary: 'Cancel a rollout permanently',
        description:
          'The event stream still delivers each group with at least one ended episode, and names its missing members.',
      },
    },
    jobsOf: rolloutsOf,
  })
  app.openapi(changeRolloutPolicy, async (context) => {
    const { rollout } = context.req.valid('param')
    return context.json(await rolloutsOf(context).changePolicy(rollout, context.req.valid('json')), 200)
  })
  app.openapi(followRolloutEvents, async (context) => {
    const { rollout } = context.req.valid('param')
    const after = context.req.valid('header')['Last-Event-ID'] ?? context.req.valid('query').after ?? 0
    const rollouts = rolloutsOf(context)
    const followed = {
      name: 'rollout',
      pageSize: 50,
      get: () => rollouts.get(rollout),
      events: (query: { after: number; limit: number }) => rollouts.groups(rollout, query),
    } as const
    return answerStream(context, followed, { after, id: rollout, ...streams })
  })
  app.openapi(getRolloutFigures, async (context) => {
    const { rollout } = context.req.valid('param')
    return context.json(await rolloutsOf(context).figures(rollout, context.req.valid('query')), 200)
  })
  app.openapi(getEpisodeCredit, async (context) => {
    const { episode, run } = context.req.valid('param')
    return context.json(await rolloutsOf(context).credit(run, episode), 200)
  })
  app.openapi(getRolloutGroup, async (context) => {
    const { group, rollout } = context.req.valid('param')
    const { form } = context.req.valid('query')
    const found = await rolloutsOf(context).group(rollout, group, form)
    return answerLarge(context, services.objects, found, {
      key: objectKeys.inspection(runOfRollout(rollout), episodeId(group), form),
      fileName: `${rollout}-${group}-${form}.json`,
    })
  })
}

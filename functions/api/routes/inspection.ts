import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { episodeCallsSchema } from '../../../shared/core/contracts/episode-calls.ts'
import { growthSchema } from '../../../shared/core/contracts/growth.ts'
import { journalDigestSchema } from '../../../shared/core/contracts/journal-digest.ts'
import { noteUsesSchema } from '../../../shared/core/contracts/memory.ts'
import { nodeDetailSchema } from '../../../shared/core/contracts/node-detail.ts'
import { episodeTokensSchema } from '../../../shared/core/contracts/token-record.ts'
import { waterfallSchema } from '../../../shared/core/contracts/waterfall.ts'
import { objectKeys } from '../../../shared/core/engine/keys.ts'
import { answerLarge } from '../answer-large.ts'
import type { ApiApp, ApiContext } from '../api-app.ts'
import type { ApiServices } from '../api-services.ts'
import { needs } from '../authentication/needs.ts'
import { badRequest, failure, json, notFound, storedElsewhere } from '../openapi/answers.ts'
import {
  callsExample,
  growthExample,
  journalDigestExample,
  nodeExample,
  tokensExample,
  usesExample,
  waterfallExample,
} from '../openapi/inspection-examples.ts'
import { memoryExample } from '../openapi/learned-examples.ts'
import { idParameter, runParameters, strictQuery } from '../openapi/parameters.ts'
import { ownServices } from '../own-services.ts'

const episodeParameters = runParameters.extend({
  episode: idParameter('The id of an episode.', 'ep-0000000'),
})

const getGrowth = createRoute({
  method: 'get',
  path: '/v1/runs/{run}/episodes/{episode}/growth',
  operationId: 'getGrowth',
  summary: 'Get the growth of an episode’s tree, commit by commit',
  description:
    'Fold the events over the nodes of the tree to get its visits, values and usage at any moment of the search.',
  tags: ['Episodes'],
  ...needs('runs:read'),
  request: { params: episodeParameters },
  responses: {
    200: json('The growth so far.', growthSchema, growthExample),
    ...storedElsewhere,
    ...notFound,
    ...failure,
  },
})

const getCalls = createRoute({
  method: 'get',
  path: '/v1/runs/{run}/episodes/{episode}/calls',
  operationId: 'getCalls',
  summary: 'Get every model call of an episode',
  description:
    'Lists calls in the order in which the journal committed their answers, each with its usage and cost. Prompts refer to positions in `messages`, which holds each message once. Calls with a lost answer appear only in the usage of the run.',
  tags: ['Episodes'],
  ...needs('runs:read'),
  request: { params: episodeParameters },
  responses: {
    200: json('The calls so far.', episodeCallsSchema, callsExample),
    ...storedElsewhere,
    ...notFound,
    ...failure,
  },
})

const getTokens = createRoute({
  method: 'get',
  path: '/v1/runs/{run}/episodes/{episode}/tokens',
  operationId: 'getTokens',
  summary: 'Get the token ids and log-probabilities of an episode',
  description:
    'The records of a run with `"record": "tokens"`: each call’s prompt and answers in exact tokens, and for each turn of the agent whether its prompt continues the previous one. An unknown value is null, never 0.',
  tags: ['Episodes'],
  ...needs('runs:read'),
  request: { params: episodeParameters },
  responses: {
    200: json('The token records so far.', episodeTokensSchema, tokensExample),
    ...storedElsewhere,
    ...notFound,
    ...failure,
  },
})

const getWaterfall = createRoute({
  method: 'get',
  path: '/v1/runs/{run}/episodes/{episode}/waterfall',
  operationId: 'getWaterfall',
  summary: 'Get the waterfall of an episode: how it spent its time',
  description:
    'Spans in lanes, read from the journal: queue, set-up, model calls, environment steps, waits, program and commits. In a tree that forks, calls and steps are in the lane of their branch. Journals of older versions have only the times of commits: their spans have `exact: false`.',
  tags: ['Episodes'],
  ...needs('runs:read'),
  request: { params: episodeParameters },
  responses: {
    200: json('The waterfall so far.', waterfallSchema, waterfallExample),
    ...storedElsewhere,
    ...notFound,
    ...failure,
  },
})

const getJournalDigest = createRoute({
  method: 'get',
  path: '/v1/runs/{run}/episodes/{episode}/journal-digest',
  operationId: 'getJournalDigest',
  summary: 'Get the digest of an episode’s journal',
  description:
    'Two journals with the same digest hold the same records, so their episodes have the same tree and reward.',
  tags: ['Episodes'],
  ...needs('runs:read'),
  request: { params: episodeParameters },
  responses: {
    200: json('The digest.', journalDigestSchema, journalDigestExample),
    ...notFound,
    ...failure,
  },
})

const getNode = createRoute({
  method: 'get',
  path: '/v1/runs/{run}/episodes/{episode}/nodes/{node}',
  operationId: 'getNode',
  summary: 'Get all details of one node',
  description:
    'Returns the prompts as sent and every answer, the verdicts and debate behind the node’s value, the notes shown there, and the state of the environment beside that of the parent. Every call of an episode belongs to one node, so the `usage` of all nodes sums to that of the episode. A call about the whole task belongs to the root.',
  tags: ['Episodes'],
  ...needs('runs:read'),
  request: {
    params: episodeParameters.extend({
      node: z
        .string()
        .regex(/^\d{1,9}$/)
        .meta({ description: 'The position of a node in the tree; 0 is the root.', example: '4' }),
    }),
  },
  responses: {
    200: json('The node.', nodeDetailSchema, nodeExample),
    ...storedElsewhere,
    ...notFound,
    ...failure,
  },
})

const getNoteUses = createRoute({
  method: 'get',
  path: '/v1/memories/{memory}/uses',
  operationId: 'getNoteUses',
  summary: 'List the uses of a memory’s notes',
  description:
    'Reads the journals of at most 500 episodes, for about 15 seconds; if the run has more, it reads a seeded sample. Omits notes never shown.',
  tags: ['Memories'],
  ...needs('runs:read'),
  request: {
    params: z.object({ memory: idParameter('The id of a memory.', memoryExample.id) }),
    query: strictQuery({
      run: idParameter(
        'The run whose episodes are searched. Default: the run that wrote the memory.',
        memoryExample.run,
      ).optional(),
    }),
  },
  responses: {
    200: json('The notes shown, in order.', noteUsesSchema, usesExample),
    ...storedElsewhere,
    ...badRequest,
    ...notFound,
    ...failure,
  },
})

export function addInspectionRoutes(app: ApiApp, services: ApiServices): void {
  const inspectionOf = (context: ApiContext) => ownServices(services, context).inspection

  app.openapi(getGrowth, async (context) => {
    const { run, episode } = context.req.valid('param')
    return answerLarge(context, services.objects, await inspectionOf(context).growth(run, episode), {
      key: objectKeys.inspection(run, episode, 'growth'),
      fileName: `${run}-${episode}-growth.json`,
    })
  })
  app.openapi(getCalls, async (context) => {
    const { run, episode } = context.req.valid('param')
    return answerLarge(context, services.objects, await inspectionOf(context).calls(run, episode), {
      key: objectKeys.inspection(run, episode, 'calls'),
      fileName: `${run}-${episode}-calls.json`,
    })
  })
  app.openapi(getTokens, async (context) => {
    const { run, episode } = context.req.valid('param')
    return answerLarge(context, services.objects, await inspectionOf(context).tokens(run, episode), {
      key: objectKeys.inspection(run, episode, 'tokens'),
      fileName: `${run}-${episode}-tokens.json`,
    })
  })
  app.openapi(getWaterfall, async (context) => {
    const { run, episode } = context.req.valid('param')
    return answerLarge(context, services.objects, await inspectionOf(context).waterfall(run, episode), {
      key: objectKeys.inspection(run, episode, 'waterfall'),
      fileName: `${run}-${episode}-waterfall.json`,
    })
  })
  app.openapi(getJournalDigest, async (context) => {
    const { run, episode } = context.req.valid('param')
    return context.json(await inspectionOf(context).journalDigest(run, episode), 200)
  })
  app.openapi(getNode, async (context) => {
    const { run, episode, node } = context.req.valid('param')
    const index = Number(node)
    return answerLarge(context, services.objects, await inspectionOf(context).node(run, episode, index), {
      key: objectKeys.inspection(run, episode, `node-${index}`),
      fileName: `${run}-${episode}-node-${index}.json`,
    })
  })
  app.openapi(getNoteUses, async (context) => {
    const { memory } = context.req.valid('param')
    const uses = await inspectionOf(context).noteUses(memory, context.req.valid('query'))
    return answerLarge(context, services.objects, uses, {
      key: objectKeys.noteUses(uses.run, memory),
      fileName: `${memory}-uses.json`,
    })
  })
}

import { createRoute } from '@hono/zod-openapi'
import { episodeSchema, episodeStatusSchema } from '../../../shared/contracts/episode.ts'
import { listQuerySchema, listSchema } from '../../../shared/contracts/list.ts'
import { trajectorySchema } from '../../../shared/contracts/trajectory.ts'
import { treeSchema } from '../../../shared/contracts/tree.ts'
import { objectKeys } from '../../../shared/engine/keys.ts'
import type { StoredOrLive } from '../../../shared/engine/runs/runs.ts'
import type { ApiApp, ApiContext } from '../api-app.ts'
import type { ApiServices } from '../api-services.ts'
import { needs } from '../authentication/needs.ts'
import { badRequest, failure, json, notFound, storedElsewhere } from '../openapi/answers.ts'
import { idParameter, runParameters, strictQuery } from '../openapi/parameters.ts'
import { ownServices } from '../own-services.ts'

const tags = ['Episodes']
const signedSeconds = 900
/** Bytes; a Lambda function answers with six megabytes at most. */
const largestAnswer = 4_000_000

const episodeParameters = runParameters.extend({
  episode: idParameter('The id of an episode.', 'ep-0000000'),
})

const listEpisodes = createRoute({
  method: 'get',
  path: '/v1/runs/{run}/episodes',
  operationId: 'listEpisodes',
  summary: 'List the episodes of a run, in the order of their index',
  tags,
  ...needs('runs:read'),
  request: {
    params: runParameters,
    query: strictQuery({
      ...listQuerySchema.shape,
      status: episodeStatusSchema.optional().describe('Only episodes that stand so.'),
    }),
  },
  responses: {
    200: json('A page of episodes.', listSchema(episodeSchema).meta({ id: 'EpisodeList' })),
    ...badRequest,
    ...notFound,
    ...failure,
  },
})

const getEpisode = createRoute({
  method: 'get',
  path: '/v1/runs/{run}/episodes/{episode}',
  operationId: 'getEpisode',
  summary: 'See how an episode stands',
  tags,
  ...needs('runs:read'),
  request: { params: episodeParameters },
  responses: { 200: json('The episode.', episodeSchema), ...notFound, ...failure },
})

const getTree = createRoute({
  method: 'get',
  path: '/v1/runs/{run}/episodes/{episode}/tree',
  operationId: 'getTree',
  summary: 'Get the tree of an episode, live or finished',
  tags,
  ...needs('runs:read'),
  request: { params: episodeParameters },
  responses: {
    200: json('The tree as it stands, while the episode is being played.', treeSchema),
    ...storedElsewhere,
    ...notFound,
    ...failure,
  },
})

const getTrajectory = createRoute({
  method: 'get',
  path: '/v1/runs/{run}/episodes/{episode}/trajectory',
  operationId: 'getTrajectory',
  summary: 'Get the trajectory of an episode, in the ATIF format',
  tags,
  ...needs('runs:read'),
  request: { params: episodeParameters },
  responses: {
    200: json('The trajectory as it stands, while the episode is being played.', trajectorySchema),
    ...storedElsewhere,
    ...notFound,
    ...failure,
  },
})

export function addEpisodeRoutes(app: ApiApp, services: ApiServices): void {
  const runsOf = (context: ApiContext) => ownServices(services, context).runs

  /** What is stored by a signed address; what still changes as it stands, or, where it is large, by one too. */
  async function answerFile(
    context: ApiContext,
    file: StoredOrLive,
    { run, episode, kind }: { run: string; episode: string; kind: 'tree' | 'trajectory' },
  ): Promise<Response> {
    context.header('Cache-Control', 'no-store')
    const key = 'stored' in file ? file.stored : objectKeys.snapshot(run, episode, kind)
    if ('live' in file) {
      const body = Buffer.from(JSON.stringify(file.live))
      if (body.byteLength <= largestAnswer)
        return context.body(body, 200, { 'Content-Type': 'application/json' })
      await services.objects.put(key, body, { content_type: 'application/json' })
    }
    const { url } = await services.objects.sign(key, {
      expires_in: signedSeconds,
      file_name: `${run}-${episode}-${kind}.json`,
    })
    return context.redirect(url, 307)
  }

  app.openapi(listEpisodes, async (context) => {
    const { run } = context.req.valid('param')
    const { status, ...query } = context.req.valid('query')
    const page = await runsOf(context).episodes(run, status === undefined ? query : { ...query, status })
    return context.json(page, 200)
  })
  app.openapi(getEpisode, async (context) => {
    const { run, episode } = context.req.valid('param')
    return context.json(await runsOf(context).episode(run, episode), 200)
  })
  app.openapi(getTree, async (context) => {
    const { run, episode } = context.req.valid('param')
    return answerFile(context, await runsOf(context).tree(run, episode), { run, episode, kind: 'tree' })
  })
  app.openapi(getTrajectory, async (context) => {
    const { run, episode } = context.req.valid('param')
    const file = await runsOf(context).trajectory(run, episode)
    return answerFile(context, file, { run, episode, kind: 'trajectory' })
  })
}

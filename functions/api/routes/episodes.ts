import { createRoute } from '@hono/zod-openapi'
import { episodeSchema, episodeStatusSchema } from '../../../shared/contracts/episode.ts'
import { listQuerySchema, listSchema } from '../../../shared/contracts/list.ts'
import { trajectorySchema } from '../../../shared/contracts/trajectory.ts'
import { treeSchema } from '../../../shared/contracts/tree.ts'
import type { StoredOrLive } from '../../../shared/engine/runs/runs.ts'
import type { ApiApp, ApiContext } from '../api-app.ts'
import type { ApiServices } from '../api-services.ts'
import { badRequest, failure, json, notFound, storedElsewhere } from '../openapi/answers.ts'
import { idParameter, runParameters, strictQuery } from '../openapi/parameters.ts'

const tags = ['Episodes']
const signedSeconds = 900

const episodeParameters = runParameters.extend({
  episode: idParameter('The id of an episode.', 'ep-0000000'),
})

const listEpisodes = createRoute({
  method: 'get',
  path: '/v1/runs/{run}/episodes',
  operationId: 'listEpisodes',
  summary: 'List the episodes of a run, in the order of their index',
  tags,
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
  request: { params: episodeParameters },
  responses: { 200: json('The episode.', episodeSchema), ...notFound, ...failure },
})

const getTree = createRoute({
  method: 'get',
  path: '/v1/runs/{run}/episodes/{episode}/tree',
  operationId: 'getTree',
  summary: 'Get the tree of an episode, live or finished',
  tags,
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
  request: { params: episodeParameters },
  responses: {
    200: json('The trajectory as it stands, while the episode is being played.', trajectorySchema),
    ...storedElsewhere,
    ...notFound,
    ...failure,
  },
})

export function addEpisodeRoutes(app: ApiApp, { runs, objects }: ApiServices): void {
  async function answerFile(context: ApiContext, file: StoredOrLive, fileName: string): Promise<Response> {
    context.header('Cache-Control', 'no-store')
    if ('live' in file) return context.json(file.live)
    const { url } = await objects.sign(file.stored, { expires_in: signedSeconds, file_name: fileName })
    return context.redirect(url, 307)
  }

  app.openapi(listEpisodes, async (context) => {
    const { run } = context.req.valid('param')
    const { status, ...query } = context.req.valid('query')
    const page = await runs.episodes(run, status === undefined ? query : { ...query, status })
    return context.json(page, 200)
  })
  app.openapi(getEpisode, async (context) => {
    const { run, episode } = context.req.valid('param')
    return context.json(await runs.episode(run, episode), 200)
  })
  app.openapi(getTree, async (context) => {
    const { run, episode } = context.req.valid('param')
    return answerFile(context, await runs.tree(run, episode), `${run}-${episode}-tree.json`)
  })
  app.openapi(getTrajectory, async (context) => {
    const { run, episode } = context.req.valid('param')
    return answerFile(context, await runs.trajectory(run, episode), `${run}-${episode}-trajectory.json`)
  })
}

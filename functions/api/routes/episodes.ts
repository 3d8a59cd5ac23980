import { createRoute } from '@hono/zod-openapi'
import { episodeFilterSchema, episodeSchema } from '../../../shared/core/contracts/episode.ts'
import { listQuerySchema, listSchema } from '../../../shared/core/contracts/list.ts'
import { trajectorySchema } from '../../../shared/core/contracts/trajectory.ts'
import { treeSchema } from '../../../shared/core/contracts/tree.ts'
import { objectKeys } from '../../../shared/core/engine/keys.ts'
import type { StoredOrLive } from '../../../shared/core/engine/runs/runs.ts'
import { answerLarge, redirectTo } from '../answer-large.ts'
import type { ApiApp, ApiContext } from '../api-app.ts'
import type { ApiServices } from '../api-services.ts'
import { needs } from '../authentication/needs.ts'
import { badRequest, failure, json, notFound, storedElsewhere } from '../openapi/answers.ts'
import { idParameter, runParameters, strictQuery } from '../openapi/parameters.ts'
import { ownServices } from '../own-services.ts'

const tags = ['Episodes']

const episodeParameters = runParameters.extend({
  episode: idParameter('The id of an episode.', 'ep-0000000'),
})

const listEpisodes = createRoute({
  method: 'get',
  path: '/v1/runs/{run}/episodes',
  operationId: 'listEpisodes',
  summary: 'List the episodes of a run',
  description:
    'Sorted by index unless `sort` sets another order. A page continues after the current position of the episode `after` in that order, even if that episode no longer matches the filters. While a run is in progress, an episode whose figure changes between two pages may appear twice or not at all; sorted by index, this cannot happen. In any other order, each page reads every episode of the run, so request large pages.',
  tags,
  ...needs('runs:read'),
  request: {
    params: runParameters,
    query: strictQuery({
      ...listQuerySchema.shape,
      ...episodeFilterSchema.shape,
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
  summary: 'Get an episode',
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
    200: json('The tree; while the episode is being played, its current state.', treeSchema),
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
    200: json('The trajectory; while the episode is being played, its current state.', trajectorySchema),
    ...storedElsewhere,
    ...notFound,
    ...failure,
  },
})

export function addEpisodeRoutes(app: ApiApp, services: ApiServices): void {
  const runsOf = (context: ApiContext) => ownServices(services, context).runs

  async function answerFile(
    context: ApiContext,
    file: StoredOrLive,
    { run, episode, kind }: { run: string; episode: string; kind: 'tree' | 'trajectory' },
  ): Promise<Response> {
    const { objects } = services
    const fileName = `${run}-${episode}-${kind}.json`
    if ('stored' in file) return redirectTo(context, objects, { key: file.stored, fileName })
    return answerLarge(context, objects, file.live, {
      key: objectKeys.snapshot(run, episode, kind),
      fileName,
    })
  }

  app.openapi(listEpisodes, async (context) => {
    const { run } = context.req.valid('param')
    return context.json(await runsOf(context).episodes(run, context.req.valid('query')), 200)
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

import { type Context, Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { z } from 'zod'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import type { FacadeSessions } from '../facade-sessions.ts'
import { errorText, type HostLog } from '../host-log.ts'
import { readBody } from '../read-body.ts'
import { readFastapiBody } from '../read-fastapi.ts'
import { refusePages } from '../refuse-pages.ts'
import { answerMcp, mcpParseError } from './answer-mcp.ts'
import { OpenenvEpisode } from './openenv-episode.ts'
import { describeSchemas, resetSchema, stepSchema } from './openenv-schemas.ts'
import { openenvSocket } from './openenv-socket.ts'

const apiVersion = '1.0.0'

function describeOpenapi(environment: string): object {
  return {
    openapi: '3.1.0',
    info: { title: `OpenEnv: ${environment}`, version: apiVersion },
    paths: {
      '/reset': { post: operation('Starts an episode and ends it.', resetSchema) },
      '/step': { post: operation('Takes the first step of an episode and ends it.', stepSchema) },
      '/state': { get: operation('The state before an episode.') },
      '/metadata': { get: operation('What the environment is.') },
      '/health': { get: operation('Whether the host takes episodes.') },
      '/schema': { get: operation('The schemas of actions, observations and states.') },
      '/mcp': { post: operation('JSON-RPC 2.0; these environments have no tools.', z.looseObject({})) },
    },
  }
}

function operation(summary: string, body?: z.ZodType): object {
  const responses = { 200: { description: summary, content: { 'application/json': {} } } }
  if (body === undefined) return { summary, responses }
  const schema = z.toJSONSchema(body, { io: 'input' })
  return { summary, requestBody: { content: { 'application/json': { schema } } }, responses }
}

/**
 * One environment behind OpenEnv's protocol, for its stock clients. An episode is played over `/ws`. As in OpenEnv's
 * own server, `POST /reset` and `POST /step` are separate episodes, each ending with the answer.
 * @example
 * app.route('/openenv/maze', createOpenenvFacade('maze', sessions, log))
 */
export function createOpenenvFacade(environment: string, sessions: FacadeSessions, log: HostLog): Hono {
  const app = new Hono()
  app.use(refusePages)
  app.get('/ws', openenvSocket(environment, sessions, log), (context) =>
    context.json({ detail: 'Open a WebSocket here.' }, 426),
  )
  app.get('/health', (context) => context.json({ status: sessions.isDraining() ? 'degraded' : 'healthy' }))
  app.get('/metadata', async (context) => {
    const facts = await sessions.describe(environment)
    const [first] = facts.tasks()
    return context.json({
      name: environment,
      description: facts.description,
      readme_content: first ? facts.describe(first).rules : null,
      version: null,
      author: null,
      documentation_url: null,
    })
  })
  app.get('/schema', (context) => context.json(describeSchemas()))
  app.get('/openapi.json', (context) => context.json(describeOpenapi(environment)))
  app.get('/state', (context) => context.json(new OpenenvEpisode(environment, sessions).state))
  app.post('/reset', async (context) => {
    const request = hasBody(context) ? await readFastapiBody(context, resetSchema) : {}
    return context.json(await once((episode) => episode.reset(request)))
  })
  app.post('/step', async (context) => {
    const { action } = await readFastapiBody(context, stepSchema)
    const step = async (episode: OpenenvEpisode) => {
      await episode.reset({})
      return episode.step(action.action)
    }
    return context.json(await once(step))
  })
  app.post('/mcp', async (context) => {
    try {
      return context.json(answerMcp(await readBody(context.req.raw)))
    } catch (error) {
      if (EspalierError.isInstance(error) && error.code === 'invalid_json') return context.json(mcpParseError)
      throw error
    }
  })
  app.onError((error, context) => answerError(error, context, log))

  async function once<Result>(play: (episode: OpenenvEpisode) => Promise<Result>): Promise<Result> {
    const episode = new OpenenvEpisode(environment, sessions)
    try {
      return await play(episode)
    } finally {
      await episode.close()
    }
  }
  return app
}

function hasBody(context: Context): boolean {
  return context.req.header('content-length') !== '0' && context.req.header('content-type') !== undefined
}

function answerError(error: Error, context: Context, log: HostLog): Response {
  if (error instanceof HTTPException) return error.getResponse()
  if (EspalierError.isInstance(error)) {
    return context.json({ detail: error.message }, error.status as ContentfulStatusCode)
  }
  log('error', 'openenv.failed', { path: context.req.path, error: errorText(error) })
  return context.text('Internal Server Error', 500)
}

import { type Context, Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { z } from 'zod'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import type { FacadeSessions } from '../facade-sessions.ts'
import { errorText, type HostLog } from '../host-log.ts'
import { looseInteger, readFastapiBody, readFastapiQuery } from '../read-fastapi.ts'
import { refusePages } from '../refuse-pages.ts'
import { AgentgymError } from './agentgym-error.ts'
import { AgentgymGames } from './agentgym-games.ts'
import { alfworldRoutes } from './alfworld-routes.ts'
import { completeSciworld, sciworldRoutes } from './sciworld-routes.ts'
import type { CompleteResult } from './session-book.ts'
import { webshopRoutes } from './webshop-routes.ts'

const idSchema = z.object({ id: looseInteger })
const createSchema = z.object({ commands: z.string().nullish(), goal: z.string().nullish() })
const stepSchema = idSchema.extend({ action: z.string() })
const resetSchema = idSchema.extend({ data_idx: looseInteger.default(0) })

interface AgentgymServer {
  environment: string
  routes(app: Hono, games: AgentgymGames): void
  complete?: CompleteResult
}

const sciworld = { routes: sciworldRoutes, complete: completeSciworld }

/**
 * AgentGym's servers by the name in their facade's path. AgentGym plays ScienceWorld without simplifications, so the
 * server of this name does too.
 */
const servers: Readonly<Record<string, AgentgymServer>> = {
  textcraft: { environment: 'textcraft', routes: textcraftRoutes },
  webshop: { environment: 'webshop', routes: webshopRoutes },
  alfworld: { environment: 'alfworld', routes: alfworldRoutes },
  scienceworld: { environment: 'scienceworld-plain', ...sciworld },
  'scienceworld-plain': { environment: 'scienceworld-plain', ...sciworld },
  'scienceworld-easy': { environment: 'scienceworld', ...sciworld },
}

export function agentgymServerNames(environments: readonly string[]): string[] {
  return Object.keys(servers).filter((name) => environments.includes(servers[name]?.environment ?? ''))
}

/**
 * One environment behind the routes of AgentGym's server for it (Xi et al., 2024), for AgentGym's own clients.
 * Failures look like the original's: most are `{"error": text}` with the status 200, in WebShop a plain 500, and
 * FastAPI's 422 for invalid requests. A full or leaving host answers 503, which the clients retry. `/split/{split}`
 * is the same server with the tasks of one split.
 * @example
 * app.route('/agentgym/textcraft', createAgentgymFacade('textcraft', sessions, log))
 */
export function createAgentgymFacade(name: string, sessions: FacadeSessions, log: HostLog): Hono {
  const server = servers[name]
  if (server === undefined) throw new Error(`AgentGym has no server for ${name}.`)
  const { environment } = server
  const splits = new Map<string, Hono>()
  const app = new Hono()
  app.use(refusePages)
  const toSplit = async (context: Context): Promise<Response> => {
    const split = context.req.param('split') ?? ''
    const tasks = (await sessions.describe(environment)).tasks()
    const known = [...new Set(tasks.map((task) => task.split))]
    if (!known.includes(split)) {
      const message = `${environment} has no split "${split}". Choose one of: ${known.join(', ')}.`
      return context.json({ error: message }, 404)
    }
    const facade = splits.get(split) ?? createServer(server, sessions, log, split)
    splits.set(split, facade)
    const { raw } = context.req
    const url = new URL(raw.url)
    url.pathname =
      url.pathname
        .split('/split/')
        .slice(1)
        .join('/split/')
        .replace(/^[^/]*/, '') || '/'
    const { method, headers, body } = raw
    return facade.fetch(new Request(url, { method, headers, ...(body && { body, duplex: 'half' }) }))
  }
  app.all('/split/:split', toSplit)
  app.all('/split/:split/*', toSplit)
  app.route('/', createServer(server, sessions, log))
  return app
}

function createServer(
  { environment, routes, complete }: AgentgymServer,
  sessions: FacadeSessions,
  log: HostLog,
  split?: string,
): Hono {
  const app = new Hono()
  const games = new AgentgymGames({
    environment,
    sessions,
    ...(split !== undefined && { split }),
    ...(complete && { complete }),
  })
  routes(app, games)
  // FastAPI redirects a path with a trailing slash to the one without.
  for (const { method, path, handler } of [...app.routes]) {
    if (path !== '/') app.on(method, `${path}/`, handler)
  }
  app.onError((error, context) => answerError(error, context, log))
  return app
}

function answerError(error: Error, context: Context, log: HostLog): Response {
  if (error instanceof HTTPException) return error.getResponse()
  if (error instanceof AgentgymError) return context.json({ error: error.message })
  if (EspalierError.isInstance(error) && error.code === 'session_done') {
    return context.json({ error: error.message })
  }
  if (EspalierError.isInstance(error) && error.status !== 500) {
    return context.json({ error: error.message }, error.status as ContentfulStatusCode)
  }
  log('error', 'agentgym.failed', { path: context.req.path, error: errorText(error) })
  return context.text('Internal Server Error', 500)
}

/**
 * AgentGym's TextCraft server. As there, creating uses the task of its number and ignores the passed commands and
 * goal.
 */
function textcraftRoutes(app: Hono, games: AgentgymGames): void {
  const taskOf = async (dataIndex: number): Promise<number> => {
    const count = await games.count()
    return ((dataIndex % count) + count) % count
  }
  app.get('/', (context) => context.json('This is environment TextCraft.'))
  app.post('/create', async (context) => {
    await readFastapiBody(context, createSchema)
    const id = games.book.nextId()
    const { observation } = (await games.create(id, await taskOf(id))).result
    return context.json({ id, observation, done: false, reward: 0 })
  })
  app.post('/step', async (context) => {
    const { id, action } = await readFastapiBody(context, stepSchema)
    const { observation, reward, done } = (await games.step(id, action, 'repeat')).result
    return context.json({ observation, reward, done })
  })
  app.post('/reset', async (context) => {
    const { id, data_idx } = await readFastapiBody(context, resetSchema)
    const { observation } = (await games.reset(id, await taskOf(data_idx))).result
    return context.json({ id, observation, done: false, reward: 0 })
  })
  app.get('/observation', (context) => {
    const { id } = readFastapiQuery(context, idSchema)
    return context.json(games.book.find(id).result.observation)
  })
  app.get('/detail', (context) => {
    const { id } = readFastapiQuery(context, idSchema)
    const { observation, done, reward } = games.book.find(id).result
    return context.json({ observation, done, reward, deleted: false })
  })
  app.post('/close', async (context) => {
    const { id } = await readFastapiBody(context, idSchema)
    if (!games.book.has(id)) return context.json(false)
    await games.book.close(id)
    return context.json(true)
  })
}

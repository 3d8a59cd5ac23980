import { type Context, Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import type { FacadeSessions } from '../facade-sessions.ts'
import { errorText, type HostLog } from '../host-log.ts'
import { refusePages } from '../refuse-pages.ts'
import { AgentgymError } from './agentgym-error.ts'
import { AgentgymGames } from './agentgym-games.ts'
import { type AgentgymServer, agentgymServers } from './agentgym-servers.ts'

/**
 * One environment behind the routes of AgentGym's server for it (Xi et al., 2024), for AgentGym's own clients.
 * Failures look like the original's: most are `{"error": text}` with the status 200, of one server a plain 500, and
 * FastAPI's 422 for invalid requests. A full or leaving host answers 503, which the clients retry. `/split/{split}`
 * is the same server with the tasks of one split.
 * @example
 * app.route('/agentgym/maze', createAgentgymFacade('maze', sessions, log))
 */
export function createAgentgymFacade(name: string, sessions: FacadeSessions, log: HostLog): Hono {
  const server = agentgymServers.find((each) => each.name === name)
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

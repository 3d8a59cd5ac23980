import { type Context, Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { EspalierError } from '../../../shared/contracts/errors.ts'
import type { FacadeSessions } from '../facade-sessions.ts'
import { errorText, type HostLog } from '../host-log.ts'
import { refusePages } from '../refuse-pages.ts'
import { AgentgymError } from './agentgym-error.ts'
import { AgentgymGames } from './agentgym-games.ts'
import { alfworldRoutes } from './alfworld-routes.ts'
import { sciworldRoutes } from './sciworld-routes.ts'
import { textcraftRoutes } from './textcraft-routes.ts'
import { webshopRoutes } from './webshop-routes.ts'

/** The routes of AgentGym's server for each environment that both have. */
const routesOf: Readonly<Record<string, (app: Hono, games: AgentgymGames) => void>> = {
  textcraft: textcraftRoutes,
  webshop: webshopRoutes,
  alfworld: alfworldRoutes,
  scienceworld: sciworldRoutes,
  'scienceworld-plain': sciworldRoutes,
}

/** Whether AgentGym has a server for an environment of ours. */
export function hasAgentgymServer(environment: string): boolean {
  return Object.hasOwn(routesOf, environment)
}

/**
 * One environment behind the routes of AgentGym's server for it (Xi et al., 2024), for AgentGym's own clients. Failures are
 * answered as there: most as `{"error": text}` with the status 200, in WebShop as a plain 500, and requests that do not fit
 * in FastAPI's 422. A host that is full or about to leave answers 503, which the clients try again.
 *
 * @example
 * app.route('/agentgym/textcraft', createAgentgymFacade('textcraft', sessions, log))
 */
export function createAgentgymFacade(environment: string, sessions: FacadeSessions, log: HostLog): Hono {
  const addRoutes = routesOf[environment]
  if (addRoutes === undefined) throw new Error(`AgentGym has no server for ${environment}.`)
  const app = new Hono()
  app.use(refusePages)
  addRoutes(app, new AgentgymGames(environment, sessions))
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

import type { Context } from 'hono'
import { Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import type { FacadeSessions } from '../facade-sessions.ts'
import { errorText, type HostLog } from '../host-log.ts'
import { readBody } from '../read-body.ts'
import { refusePages } from '../refuse-pages.ts'
import { McpClients } from './mcp-clients.ts'

/**
 * One environment behind MCP over streamable HTTP, with the tools `reset` and `step`. A client has one episode at
 * a time, from its first reset until it ends its session. The SDK is loaded with the first client.
 * @example
 * app.route('/mcp/maze', createMcpFacade('maze', sessions, log))
 */
export function createMcpFacade(environment: string, sessions: FacadeSessions, log: HostLog): Hono {
  const app = new Hono()
  const clients = new McpClients(environment, sessions, log)
  app.use(refusePages)
  app.post('/', async (context) => {
    const body = await readBody(context.req.raw)
    return clients.answer(context.req.raw, body)
  })
  app.delete('/', (context) => clients.answer(context.req.raw))
  // The host sends no messages of its own.
  app.get('/', (context) =>
    context.json(failure(-32000, 'Method not allowed: this server opens no stream.'), 405),
  )
  app.onError((error, context) => answerError(error, context, log))
  return app
}

function answerError(error: Error, context: Context, log: HostLog): Response {
  if (EspalierError.isInstance(error)) {
    const code = error.code === 'invalid_json' ? -32700 : -32600
    return context.json(failure(code, error.message), error.status as ContentfulStatusCode)
  }
  log('error', 'mcp.failed', { path: context.req.path, error: errorText(error) })
  return context.json(failure(-32603, 'Something went wrong inside the host; its log says more.'), 500)
}

function failure(code: number, message: string): object {
  return { jsonrpc: '2.0', id: null, error: { code, message } }
}

import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Principal } from '../../shared/auth/principal.ts'

/** What the middleware leaves for every handler. */
export interface ApiEnvironment {
  Variables: {
    requestId: string
    /** Who asks; absent on routes that need no key. */
    principal?: Principal
  }
}

export type ApiApp = OpenAPIHono<ApiEnvironment>
export type ApiContext = Context<ApiEnvironment>

/** Who asks, on a route that needs a key. */
export function principalOf(context: Pick<ApiContext, 'get'>): Principal {
  const principal = context.get('principal')
  if (principal === undefined) throw new Error('A route that needs a key was reached without one.')
  return principal
}

import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Principal } from '../../shared/core/auth/principal.ts'

export interface ApiEnvironment {
  Variables: {
    requestId: string
    principal?: Principal
  }
}

export type ApiApp = OpenAPIHono<ApiEnvironment>
export type ApiContext = Context<ApiEnvironment>

export function principalOf(context: Pick<ApiContext, 'get'>): Principal {
  const principal = context.get('principal')
  if (principal === undefined) throw new Error('A route that needs a key was reached without one.')
  return principal
}

import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'

/** What the middleware leaves for every handler. */
export interface ApiEnvironment {
  Variables: { requestId: string }
}

export type ApiApp = OpenAPIHono<ApiEnvironment>
export type ApiContext = Context<ApiEnvironment>

import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import type { ApiApp } from '../api-app.ts'
import type { ApiServices } from '../api-services.ts'
import { needsNoKey } from '../authentication/needs.ts'
import { failure, json } from '../openapi/answers.ts'

const healthSchema = z
  .object({ status: z.literal('ok'), version: z.string(), world: z.enum(['local', 'aws']) })
  .meta({ id: 'Health' })

const getHealth = createRoute({
  method: 'get',
  path: '/health',
  operationId: 'getHealth',
  summary: 'Whether the service can do its work',
  tags: ['Service'],
  middleware: needsNoKey,
  responses: {
    200: json('It can.', healthSchema, { status: 'ok', version: '0.1.0', world: 'local' }),
    507: { ...failure[500], description: 'Its storage cannot be used.' },
    ...failure,
  },
})

export function addHealthRoute(app: ApiApp, services: ApiServices): void {
  app.openapi(getHealth, async (context) => context.json(await services.health(), 200))
}

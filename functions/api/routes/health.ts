import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { EspalierError } from '../../../shared/contracts/errors.ts'
import type { ApiApp } from '../api-app.ts'
import type { ApiServices } from '../api-services.ts'
import { needsNoKey } from '../authentication/needs.ts'
import { failure, json } from '../openapi/answers.ts'

const healthSchema = z
  .object({
    status: z.literal('ok'),
    version: z.string(),
    world: z.enum(['local', 'aws']),
    workers: z
      .object({ wanted: z.int().min(1), playing: z.int().min(0) })
      .optional()
      .describe(
        'Worker processes of this service: how many there should be, and how many play now. Absent where it plays by itself.',
      ),
  })
  .meta({ id: 'Health' })

const getHealth = createRoute({
  method: 'get',
  path: '/health',
  operationId: 'getHealth',
  summary: 'Whether the service can do its work',
  description:
    'Reads and writes, at most once in five seconds. Where that fails, the error says what is wrong with the storage and what to do.',
  tags: ['Service'],
  middleware: needsNoKey,
  responses: {
    200: json('It can.', healthSchema, { status: 'ok', version: '0.1.0', world: 'local' }),
    503: { ...failure[500], description: 'Its storage cannot be used: full, read-only or damaged.' },
    ...failure,
  },
})

export function addHealthRoute(app: ApiApp, services: ApiServices): void {
  app.openapi(getHealth, async (context) => {
    try {
      return context.json(await services.health(), 200)
    } catch (error) {
      if (!EspalierError.isInstance(error)) throw error
      return context.json(error.toBody(), 503)
    }
  })
}

import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import type { ApiApp } from '../api-app.ts'
import type { ApiServices } from '../api-services.ts'
import { needsNoKey } from '../authentication/needs.ts'
import { badRequest, failure, json } from '../openapi/answers.ts'

const healthSchema = z
  .object({
    status: z.literal('ok'),
    version: z.string(),
    world: z.enum(['local', 'aws', 'postgres']),
    workers: z
      .object({ wanted: z.int().min(1), playing: z.int().min(0) })
      .optional()
      .describe(
        'Worker processes of this service: the target number, and the number now playing. Absent if the service plays episodes itself.',
      ),
    damaged: z
      .int()
      .min(1)
      .optional()
      .describe(
        'Number of damaged objects and ledger items that the service has found in its storage since it started. Absent: none.',
      ),
    sessions: z
      .literal(true)
      .optional()
      .describe(
        'People can play tasks by hand (`POST /v1/sessions`). Absent: this service holds no sessions.',
      ),
  })
  .meta({ id: 'Health' })

const getHealth = createRoute({
  method: 'get',
  path: '/health',
  operationId: 'getHealth',
  summary: 'Get the health of the service',
  description:
    'Returns the result of the last storage check from memory; the service checks its storage every 15 seconds. With `deep=true` it reads and writes the storage first, at most once in five seconds. If that fails, the error names the fault and its remedy.',
  tags: ['Service'],
  middleware: needsNoKey,
  request: {
    query: z.object({
      deep: z.enum(['true', 'false']).optional().meta({
        description: '`true`: reads and writes the storage before it answers.',
        example: 'false',
      }),
    }),
  },
  responses: {
    200: json('The service is healthy.', healthSchema, { status: 'ok', version: '0.1.0', world: 'local' }),
    503: { ...failure[500], description: 'The storage cannot be used: it is full, read-only or damaged.' },
    ...badRequest,
    ...failure,
  },
})

export function addHealthRoute(app: ApiApp, services: ApiServices): void {
  app.openapi(getHealth, async (context) => {
    try {
      const { health } = services
      const isDeep = context.req.valid('query').deep === 'true'
      return context.json(isDeep ? await health.probe() : health.now(), 200)
    } catch (error) {
      if (!EspalierError.isInstance(error)) throw error
      return context.json(error.toBody(), 503)
    }
  })
}

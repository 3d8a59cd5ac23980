import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import {
  apiKeySchema,
  createdKeySchema,
  keyRequestSchema,
  revokedKeySchema,
} from '../../../shared/core/contracts/key.ts'
import { listSchema } from '../../../shared/core/contracts/list.ts'
import { type ApiApp, principalOf } from '../api-app.ts'
import type { ApiServices } from '../api-services.ts'
import { needs } from '../authentication/needs.ts'
import { badBody, body, failure, json, notFound } from '../openapi/answers.ts'
import { keyExample } from '../openapi/examples.ts'
import { listRoute } from '../openapi/list-route.ts'
import { idParameter } from '../openapi/parameters.ts'

const tags = ['Keys']
const keyParameters = z.object({ key: idParameter('The id of a key.', 'key-1') })

const createKey = createRoute({
  method: 'post',
  path: '/v1/keys',
  operationId: 'createKey',
  summary: 'Create an API key for your tenant',
  description: 'The response contains the key. It is stored nowhere and never shown again.',
  tags,
  ...needs('admin'),
  request: { body: body(keyRequestSchema, keyExample) },
  responses: { 201: json('The key.', createdKeySchema), ...badBody, ...failure },
})

const listKeys = listRoute({
  path: '/v1/keys',
  operationId: 'listKeys',
  summary: "List your tenant's API keys, newest first",
  tags,
  role: 'admin',
  page: 'A page of keys.',
  schema: listSchema(apiKeySchema).meta({ id: 'ApiKeyList' }),
})

const revokeKey = createRoute({
  method: 'delete',
  path: '/v1/keys/{key}',
  operationId: 'revokeKey',
  summary: 'Revoke an API key permanently',
  description: 'A deployment may still accept the key for a minute, because its gateway caches answers.',
  tags,
  ...needs('admin'),
  request: { params: keyParameters },
  responses: { 200: json('The key is revoked.', revokedKeySchema), ...notFound, ...failure },
})

export function addKeyRoutes(app: ApiApp, { keys }: Pick<ApiServices, 'keys'>): void {
  app.openapi(createKey, async (context) => {
    const created = await keys.create(principalOf(context).tenant, context.req.valid('json'))
    return context.json(created, 201, { 'Cache-Control': 'no-store' })
  })
  app.openapi(listKeys, async (context) =>
    context.json(await keys.list(principalOf(context).tenant, context.req.valid('query')), 200),
  )
  app.openapi(revokeKey, async (context) => {
    const { key } = context.req.valid('param')
    await keys.revoke(principalOf(context).tenant, key)
    return context.json({ id: key, object: 'api_key' as const, deleted: true as const }, 200)
  })
}

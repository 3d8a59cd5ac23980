import { createRoute } from '@hono/zod-openapi'
import {
  tenantLimitsRequestSchema,
  tenantLimitsSchema,
} from '../../../shared/core/contracts/tenant-limits.ts'
import { type ApiApp, principalOf } from '../api-app.ts'
import type { ApiServices } from '../api-services.ts'
import { needs } from '../authentication/needs.ts'
import { badBody, body, failure, json } from '../openapi/answers.ts'
import { limitsExample } from '../openapi/examples.ts'

const tags = ['Limits']

const getLimits = createRoute({
  method: 'get',
  path: '/v1/limits',
  operationId: 'getLimits',
  summary: 'Get your tenant’s spending limit and current spending',
  tags,
  ...needs('runs:read'),
  responses: { 200: json('The limits.', tenantLimitsSchema), ...failure },
})

const setLimits = createRoute({
  method: 'put',
  path: '/v1/limits',
  operationId: 'setLimits',
  summary: 'Set a tenant’s spending limit',
  description:
    'Only the holder of the data folder may do this, never a key. In a deployment, use `espalier limits set --stage STAGE --tenant TENANT`.',
  tags,
  ...needs('operator'),
  request: { body: body(tenantLimitsRequestSchema, limitsExample) },
  responses: { 200: json('The new limits.', tenantLimitsSchema), ...badBody, ...failure },
})

export function addLimitRoutes(app: ApiApp, { limits }: Pick<ApiServices, 'limits'>): void {
  app.openapi(getLimits, async (context) => context.json(await limits.get(principalOf(context).tenant), 200))
  app.openapi(setLimits, async (context) =>
    context.json(await limits.set(principalOf(context).tenant, context.req.valid('json')), 200),
  )
}

import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import {
  endpointAdditionSchema,
  endpointChangeSchema,
  endpointDetailSchema,
  endpointTestRequestSchema,
  endpointTestSchema,
  removedEndpointSchema,
} from '../../../shared/core/contracts/endpoint.ts'
import { listSchema } from '../../../shared/core/contracts/list.ts'
import type { ApiApp } from '../api-app.ts'
import type { ApiServices } from '../api-services.ts'
import { needs } from '../authentication/needs.ts'
import { badBody, body, conflict, failure, json, notFound, optionalBody } from '../openapi/answers.ts'
import { listRoute } from '../openapi/list-route.ts'
import { idParameter } from '../openapi/parameters.ts'
import { pageOf } from '../page-of.ts'

const tags = ['Endpoints']
const endpointParameters = z.object({ endpoint: idParameter('The name of an endpoint.', 'local') })
const endpointExample = { kind: 'openai', base_url: 'http://127.0.0.1:8000/v1' }
const byOperator =
  'Only the operator of the service may do this: all tenants share the endpoints, and they name the places of keys. A body never contains a key, only its place.'

const listEndpoints = listRoute({
  path: '/v1/endpoints',
  operationId: 'listEndpoints',
  summary: 'List the endpoints with their configuration',
  tags,
  role: 'operator',
  page: 'A page of endpoints.',
  schema: listSchema(endpointDetailSchema).meta({ id: 'EndpointDetailList' }),
})

const getEndpoint = createRoute({
  method: 'get',
  path: '/v1/endpoints/{endpoint}',
  operationId: 'getEndpoint',
  summary: 'Get an endpoint with its configuration',
  tags,
  ...needs('operator'),
  request: { params: endpointParameters },
  responses: { 200: json('The endpoint.', endpointDetailSchema), ...notFound, ...failure },
})

const addEndpoint = createRoute({
  method: 'post',
  path: '/v1/endpoints',
  operationId: 'addEndpoint',
  summary: 'Add an endpoint, which runs can use at once',
  description: byOperator,
  tags,
  ...needs('operator'),
  request: { body: body(endpointAdditionSchema, { name: 'local', endpoint: endpointExample }) },
  responses: { 201: json('The endpoint.', endpointDetailSchema), ...badBody, ...conflict, ...failure },
})

const changeEndpoint = createRoute({
  method: 'put',
  path: '/v1/endpoints/{endpoint}',
  operationId: 'changeEndpoint',
  summary: 'Change an endpoint added through the API',
  description: `${byOperator} Calls in progress keep the old settings.`,
  tags,
  ...needs('operator'),
  request: {
    params: endpointParameters,
    body: body(endpointChangeSchema, { endpoint: endpointExample }),
  },
  responses: {
    200: json('The endpoint.', endpointDetailSchema),
    ...badBody,
    ...notFound,
    ...conflict,
    ...failure,
  },
})

const removeEndpoint = createRoute({
  method: 'delete',
  path: '/v1/endpoints/{endpoint}',
  operationId: 'removeEndpoint',
  summary: 'Remove an endpoint added through the API',
  description: 'Runs that use it pause. To continue them, add the endpoint again and resume them.',
  tags,
  ...needs('operator'),
  request: { params: endpointParameters },
  responses: {
    200: json('The endpoint is removed.', removedEndpointSchema),
    ...notFound,
    ...conflict,
    ...failure,
  },
})

const testEndpoint = createRoute({
  method: 'post',
  path: '/v1/endpoints/{endpoint}/test',
  operationId: 'testEndpoint',
  summary: 'Test an endpoint with one small question',
  description: 'Returns the result of the test with its latency and cost, or the provider’s error.',
  tags,
  ...needs('operator'),
  request: {
    params: endpointParameters,
    body: optionalBody(endpointTestRequestSchema, { model: 'Qwen/Qwen3-8B' }),
  },
  responses: {
    200: json('The result of the test.', endpointTestSchema),
    ...badBody,
    ...notFound,
    ...failure,
  },
})

export function addEndpointRoutes(app: ApiApp, { endpoints }: Pick<ApiServices, 'endpoints'>): void {
  app.openapi(listEndpoints, async (context) =>
    context.json(pageOf(await endpoints.list(), context.req.valid('query')), 200),
  )
  app.openapi(getEndpoint, async (context) =>
    context.json(await endpoints.get(context.req.valid('param').endpoint), 200),
  )
  app.openapi(addEndpoint, async (context) =>
    context.json(await endpoints.add(context.req.valid('json')), 201),
  )
  app.openapi(changeEndpoint, async (context) =>
    context.json(await endpoints.change(context.req.valid('param').endpoint, context.req.valid('json')), 200),
  )
  app.openapi(removeEndpoint, async (context) => {
    const { endpoint } = context.req.valid('param')
    await endpoints.remove(endpoint)
    return context.json({ id: endpoint, object: 'endpoint' as const, deleted: true as const }, 200)
  })
  app.openapi(testEndpoint, async (context) =>
    context.json(
      await endpoints.test(context.req.valid('param').endpoint, context.req.valid('json') ?? {}),
      200,
    ),
  )
}

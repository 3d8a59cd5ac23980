import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import {
  endpointInfoSchema,
  environmentInfoSchema,
  methodInfoSchema,
  taskInfoSchema,
} from '../../../shared/core/contracts/catalogue.ts'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import { exampleEnvironment } from '../../../shared/core/contracts/example-environment.ts'
import { listQuerySchema, listSchema } from '../../../shared/core/contracts/list.ts'
import { type PresetInfo, presetInfoSchema } from '../../../shared/core/contracts/preset.ts'
import { unknownName } from '../../../shared/core/contracts/validation/nearest-name.ts'
import { type ApiApp, principalOf } from '../api-app.ts'
import type { ApiServices } from '../api-services.ts'
import { needs } from '../authentication/needs.ts'
import { badRequest, failure, json, notFound } from '../openapi/answers.ts'
import { listRoute } from '../openapi/list-route.ts'
import { idParameter, strictQuery } from '../openapi/parameters.ts'
import { pageOf } from '../page-of.ts'

const tags = ['Catalogue']
const environmentParameters = z.object({
  environment: idParameter('The id of an environment.', exampleEnvironment),
})
const dataParameter = z
  .string()
  .min(1)
  .optional()
  .describe('A data pack, by digest or name, or `builtin`. Default: the newest pack.')
const methodParameters = z.object({ method: idParameter('The id of a method.', 'mcts') })

const listEnvironments = listRoute({
  path: '/v1/environments',
  operationId: 'listEnvironments',
  summary: 'List the environments',
  tags,
  page: 'A page of environments.',
  schema: listSchema(environmentInfoSchema).meta({ id: 'EnvironmentList' }),
})

const getEnvironment = createRoute({
  method: 'get',
  path: '/v1/environments/{environment}',
  operationId: 'getEnvironment',
  summary: 'Get an environment with its splits, types and limits',
  tags,
  ...needs(),
  request: { params: environmentParameters, query: strictQuery({ data: dataParameter }) },
  responses: {
    200: json('The environment.', environmentInfoSchema),
    ...badRequest,
    ...notFound,
    ...failure,
  },
})

const listTasks = createRoute({
  method: 'get',
  path: '/v1/environments/{environment}/tasks',
  operationId: 'listTasks',
  summary: 'List the tasks of an environment',
  tags,
  ...needs(),
  request: {
    params: environmentParameters,
    query: strictQuery({
      ...listQuerySchema.shape,
      split: z.string().min(1).optional().describe('Only tasks of this split.'),
      type: z.string().min(1).optional().describe('Only tasks of this type.'),
      data: dataParameter,
    }),
  },
  responses: {
    200: json('A page of tasks.', listSchema(taskInfoSchema).meta({ id: 'TaskList' })),
    ...badRequest,
    ...notFound,
    ...failure,
  },
})

const listMethods = listRoute({
  path: '/v1/methods',
  operationId: 'listMethods',
  summary: 'List the methods',
  tags,
  page: 'A page of methods.',
  schema: listSchema(methodInfoSchema).meta({ id: 'MethodList' }),
})

const getMethod = createRoute({
  method: 'get',
  path: '/v1/methods/{method}',
  operationId: 'getMethod',
  summary: 'Get a method with its parameters',
  tags,
  ...needs(),
  request: { params: methodParameters },
  responses: { 200: json('The method.', methodInfoSchema), ...notFound, ...failure },
})

const presetParameters = z.object({ preset: idParameter('The id of a preset.', 'eto') })

const listPresetsRoute = listRoute({
  path: '/v1/presets',
  operationId: 'listPresets',
  summary: 'List the presets: settings of papers, their sources, and remaining differences from the papers',
  tags,
  page: 'A page of presets.',
  schema: listSchema(presetInfoSchema).meta({ id: 'PresetList' }),
})

const getPreset = createRoute({
  method: 'get',
  path: '/v1/presets/{preset}',
  operationId: 'getPreset',
  summary: 'Get a preset: every setting with its source',
  tags,
  ...needs(),
  request: { params: presetParameters },
  responses: { 200: json('The preset.', presetInfoSchema), ...notFound, ...failure },
})

const listModels = listRoute({
  path: '/v1/models',
  operationId: 'listModels',
  summary: 'List the configured endpoints and their models',
  tags,
  page: 'A page of endpoints.',
  schema: listSchema(endpointInfoSchema).meta({ id: 'EndpointList' }),
})

export function addCatalogueRoutes(app: ApiApp, { catalogue }: ApiServices): void {
  app.openapi(listEnvironments, async (context) =>
    context.json(pageOf(await catalogue.environments(), context.req.valid('query')), 200),
  )
  app.openapi(getEnvironment, async (context) =>
    context.json(
      await catalogue.environment(context.req.valid('param').environment, context.req.valid('query').data),
      200,
    ),
  )
  app.openapi(listTasks, async (context) =>
    context.json(
      await catalogue.tasks(context.req.valid('param').environment, context.req.valid('query')),
      200,
    ),
  )
  app.openapi(listMethods, (context) =>
    context.json(pageOf(catalogue.methods(), context.req.valid('query')), 200),
  )
  app.openapi(getMethod, (context) =>
    context.json(find(catalogue.methods(), 'method', context.req.valid('param').method), 200),
  )
  app.openapi(listPresetsRoute, async (context) =>
    context.json(pageOf(await presets(), context.req.valid('query')), 200),
  )
  app.openapi(getPreset, async (context) =>
    context.json(find(await presets(), 'preset', context.req.valid('param').preset), 200),
  )
  app.openapi(listModels, async (context) =>
    context.json(
      pageOf(await catalogue.endpoints(principalOf(context).tenant), context.req.valid('query')),
      200,
    ),
  )
}

/** Few starts need their texts. */
async function presets(): Promise<PresetInfo[]> {
  return (await import('../../../shared/play/presets/presets.ts')).listPresets()
}

function find<Item extends { id: string }>(items: Item[], kind: string, id: string): Item {
  const item = items.find((candidate) => candidate.id === id)
  if (item !== undefined) return item
  const choices = items.map((candidate) => candidate.id)
  throw new EspalierError('not_found', unknownName(`There is no ${kind}`, id, choices), { param: kind })
}

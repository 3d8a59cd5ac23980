import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { isOperator } from '../../../shared/core/auth/principal.ts'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import { listSchema } from '../../../shared/core/contracts/list.ts'
import {
  modelServerSchema,
  serveRequestSchema,
  stoppedServerSchema,
} from '../../../shared/core/contracts/model-server.ts'
import {
  deletedModelSchema,
  modelLineageSchema,
  registeredModelRequestSchema,
  registeredModelSchema,
  storedWeightPartSchema,
} from '../../../shared/core/contracts/registered-model.ts'
import { type ApiApp, principalOf } from '../api-app.ts'
import type { ApiServices } from '../api-services.ts'
import { needs } from '../authentication/needs.ts'
import { badBody, body, conflict, failure, json, notFound, optionalBody } from '../openapi/answers.ts'
import { listRoute } from '../openapi/list-route.ts'
import { idempotencyHeaders, idempotencyOption, idParameter } from '../openapi/parameters.ts'
import { ownServices } from '../own-services.ts'
import { pageOf } from '../page-of.ts'

const tags = ['Registered models']
const modelParameters = z.object({ model: idParameter('The id of a registered model.', 'model-1') })
const partParameters = z.object({
  sha256: idParameter('The SHA-256 of the part, in hexadecimal.', '9f86d081884c7d65'),
})

const registerModel = createRoute({
  method: 'post',
  path: '/v1/registered-models',
  operationId: 'registerModel',
  summary: 'Register a model by its weights and their origin',
  description:
    'The weights come from a folder on the machine of the service, which only its operator may name, or from uploaded file parts. The API reads omitted fields from the files.',
  tags,
  ...needs('runs:write'),
  request: {
    headers: idempotencyHeaders,
    body: body(registeredModelRequestSchema, { folder: '/models/qwen3-0.6b-sft', datasets: ['dataset-1'] }),
  },
  responses: {
    201: json('The model.', registeredModelSchema),
    ...badBody,
    ...notFound,
    ...conflict,
    ...failure,
  },
})

const putWeightPart = createRoute({
  method: 'put',
  path: '/v1/weight-parts/{sha256}',
  operationId: 'putWeightPart',
  summary: 'Upload a part of a file of weights',
  description: 'Split files into parts of at most 4 MB. It is safe to send a stored part again.',
  tags,
  ...needs('runs:write'),
  request: {
    params: partParameters,
    body: {
      required: true,
      content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
    },
  },
  responses: {
    200: json('The part is stored.', storedWeightPartSchema),
    ...badBody,
    ...notFound,
    ...failure,
  },
})

const listRegisteredModels = listRoute({
  path: '/v1/registered-models',
  operationId: 'listRegisteredModels',
  summary: 'List registered models, newest first',
  tags,
  role: 'runs:read',
  page: 'A page of models.',
  schema: listSchema(registeredModelSchema).meta({ id: 'RegisteredModelList' }),
})

const getRegisteredModel = createRoute({
  method: 'get',
  path: '/v1/registered-models/{model}',
  operationId: 'getRegisteredModel',
  summary: 'Get a registered model',
  tags,
  ...needs('runs:read'),
  request: { params: modelParameters },
  responses: { 200: json('The model.', registeredModelSchema), ...notFound, ...failure },
})

const getModelLineage = createRoute({
  method: 'get',
  path: '/v1/registered-models/{model}/lineage',
  operationId: 'getModelLineage',
  summary: 'Get a model’s ancestors and descendants',
  tags,
  ...needs('runs:read'),
  request: { params: modelParameters },
  responses: { 200: json('The lineage.', modelLineageSchema), ...notFound, ...failure },
})

const deleteRegisteredModel = createRoute({
  method: 'delete',
  path: '/v1/registered-models/{model}',
  operationId: 'deleteRegisteredModel',
  summary: 'Delete an unused registered model',
  description:
    'The API refuses this while the model is served, a training uses it, or another model descends from it.',
  tags,
  ...needs('runs:write'),
  request: { params: modelParameters },
  responses: { 200: json('The model is deleted.', deletedModelSchema), ...notFound, ...conflict, ...failure },
})

const serveModel = createRoute({
  method: 'post',
  path: '/v1/registered-models/{model}/serve',
  operationId: 'serveModel',
  summary: 'Serve a registered model as an endpoint',
  description:
    'The API answers at once and starts the model’s server. Calls to the endpoint wait until it is healthy. The service stops an idle server; the next call starts it again.',
  tags,
  ...needs('runs:write'),
  request: { params: modelParameters, body: optionalBody(serveRequestSchema, { driver: 'llama-cpp' }) },
  responses: {
    201: json('The server and its state.', modelServerSchema),
    ...badBody,
    ...notFound,
    ...conflict,
    ...failure,
  },
})

const stopModel = createRoute({
  method: 'post',
  path: '/v1/registered-models/{model}/stop',
  operationId: 'stopModel',
  summary: 'Stop serving a model: end its server and remove its endpoint',
  tags,
  ...needs('runs:write'),
  request: { params: modelParameters },
  responses: { 200: json('The model is no longer served.', stoppedServerSchema), ...notFound, ...failure },
})

const listModelServers = listRoute({
  path: '/v1/model-servers',
  operationId: 'listModelServers',
  summary: 'List the model servers and their health',
  tags,
  role: 'runs:read',
  page: 'A page of servers.',
  schema: listSchema(modelServerSchema).meta({ id: 'ModelServerList' }),
})

export function addRegisteredModelRoutes(app: ApiApp, services: ApiServices): void {
  app.openapi(registerModel, async (context) => {
    if (!services.keepsModels) throw keepsNoModels()
    const { folder, files, ...facts } = context.req.valid('json')
    if (folder !== undefined && !isOperator(principalOf(context))) throw notOfOperator('folder')
    const registration = { ...facts, files: folder === undefined ? (files ?? []) : await filesIn(folder) }
    const { models } = ownServices(services, context)
    const named = idempotencyOption(context.req.valid('header'))
    return context.json(await models.register(registration, named), 201)
  })
  app.openapi(putWeightPart, async (context) => {
    if (!services.keepsModels) throw keepsNoModels()
    const { sha256 } = context.req.valid('param')
    const bytes = new Uint8Array(await context.req.arrayBuffer())
    return context.json(await ownServices(services, context).models.putPart(sha256, bytes), 200)
  })
  app.openapi(listRegisteredModels, async (context) =>
    context.json(await ownServices(services, context).models.list(context.req.valid('query')), 200),
  )
  app.openapi(getRegisteredModel, async (context) =>
    context.json(await ownServices(services, context).models.get(context.req.valid('param').model), 200),
  )
  app.openapi(getModelLineage, async (context) =>
    context.json(await ownServices(services, context).models.lineage(context.req.valid('param').model), 200),
  )
  app.openapi(deleteRegisteredModel, async (context) => {
    const { model } = context.req.valid('param')
    await ownServices(services, context).models.delete(model)
    return context.json({ id: model, object: 'registered_model' as const, deleted: true as const }, 200)
  })
  app.openapi(serveModel, async (context) => {
    const { model } = context.req.valid('param')
    const request = context.req.valid('json') ?? {}
    if (request.command !== undefined && !isOperator(principalOf(context))) throw notOfOperator('command')
    const { servers } = ownServices(services, context)
    await servers.serve(model, request)
    return context.json(await servers.get(model), 201)
  })
  app.openapi(stopModel, async (context) => {
    const { model } = context.req.valid('param')
    await ownServices(services, context).servers.stop(model)
    return context.json({ id: model, object: 'model_server' as const, stopped: true as const }, 200)
  })
  app.openapi(listModelServers, async (context) =>
    context.json(
      pageOf(await ownServices(services, context).servers.list(), context.req.valid('query')),
      200,
    ),
  )
}

async function filesIn(folder: string): Promise<{ name: string; path: string }[]> {
  try {
    const entries = await readdir(resolve(folder), { withFileTypes: true })
    return entries
      .filter((entry) => !entry.isDirectory() && /^[A-Za-z0-9]/.test(entry.name))
      .map(({ name }) => ({ name, path: join(resolve(folder), name) }))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    const message = `The folder ${folder} cannot be read (${code}).`
    throw new EspalierError('not_found', message, { param: 'folder', cause: error })
  }
}

function keepsNoModels(): EspalierError {
  return new EspalierError(
    'not_supported',
    'The functions of a stage on AWS register no models, and run no trainings and loops; your own service does.',
  )
}

function notOfOperator(param: string): EspalierError {
  return new EspalierError(
    'not_operator',
    `"${param}" is for the operator of the service alone: it names what lies on its machine. Run espalier there, or leave it out.`,
    { param },
  )
}

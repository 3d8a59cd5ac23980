import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import { listQuerySchema, listSchema } from '../../../shared/core/contracts/list.ts'
import {
  importedFactsSchema,
  importSettingsSchema,
  rejectionSchema,
  trajectoryImportSchema,
} from '../../../shared/core/contracts/trajectory-import.ts'
import type { ApiApp, ApiContext } from '../api-app.ts'
import type { ApiServices } from '../api-services.ts'
import { needs } from '../authentication/needs.ts'
import { badBody, badRequest, conflict, failure, json, notFound } from '../openapi/answers.ts'
import { filterDescription, labelledEntryFilters } from '../openapi/label-filters.ts'
import { toListExample } from '../openapi/learned-examples.ts'
import { listRoute } from '../openapi/list-route.ts'
import { idempotencyHeaders, idempotencyOption, idParameter, strictQuery } from '../openapi/parameters.ts'
import { factsExample, importExample, rejectionExample, rowExample } from '../openapi/trajectory-examples.ts'
import { ownServices } from '../own-services.ts'

const tags = ['Trajectories']

const importParameters = z.object({ import: idParameter('The id of an import.', importExample.id) })

const rowsQuery = {
  more: z
    .enum(['true', 'false'])
    .default('false')
    .describe('`true`: more rows follow by `POST …/rows`. Datasets can use only a complete import.'),
  file: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe(
      'The name of the file with the rows. Rejections show it; if the file has only one row, it may name the task.',
    ),
}

const rows = {
  required: false,
  description:
    'The rows: JSON Lines, one JSON list, or one JSON object, at most 8 MB (4 MB on AWS). With the type `application/json`, the whole body must be valid JSON. With `application/x-ndjson`, each row is read separately and may be nested as deep as search trees.',
  content: {
    'application/x-ndjson': { schema: z.string(), example: JSON.stringify(rowExample) },
    'application/json': {
      schema: z.union([z.array(z.looseObject({})), z.looseObject({})]),
      example: [rowExample],
    },
  },
}

const importTrajectories = createRoute({
  method: 'post',
  path: '/v1/trajectories',
  operationId: 'importTrajectories',
  summary: 'Import trajectories from other sources',
  description:
    'Imports the readable rows, and lists the others with the reason for each. To import more than one body can hold, send the first body with `more=true` and the others by `POST /v1/trajectories/{import}/rows`. The command `espalier import` does this for files of any size.',
  tags,
  ...needs('runs:write'),
  request: {
    headers: idempotencyHeaders,
    query: strictQuery({
      ...importSettingsSchema.shape,
      ...rowsQuery,
      name: z.string().max(200).optional().describe('A display name for the import.'),
    }),
    body: rows,
  },
  responses: {
    201: json('The import, with the number of accepted rows.', trajectoryImportSchema, importExample),
    ...badBody,
    ...conflict,
    ...failure,
  },
})

const appendTrajectories = createRoute({
  method: 'post',
  path: '/v1/trajectories/{import}/rows',
  operationId: 'appendTrajectories',
  summary: 'Add rows to an import started with `more=true`',
  description: 'Sending the same body again changes nothing.',
  tags,
  ...needs('runs:write'),
  request: {
    params: importParameters,
    query: strictQuery({
      ...rowsQuery,
      first: z.coerce
        .number()
        .int()
        .min(1)
        .meta({ description: 'The number of the first row in the body: the import’s `next`.', example: 1 }),
    }),
    body: rows,
  },
  responses: {
    200: json('The import after the change.', trajectoryImportSchema, importExample),
    ...badBody,
    ...notFound,
    ...conflict,
    ...failure,
  },
})

const listImports = listRoute({
  path: '/v1/trajectories',
  operationId: 'listImports',
  summary: 'List imports of trajectories, newest first',
  tags,
  role: 'datasets:read',
  description: filterDescription,
  filters: labelledEntryFilters,
  page: 'A page of imports.',
  schema: listSchema(trajectoryImportSchema).meta({ id: 'TrajectoryImportList' }),
  example: toListExample(importExample),
})

const getImport = createRoute({
  method: 'get',
  path: '/v1/trajectories/{import}',
  operationId: 'getImport',
  summary: 'Get an import with the number of accepted rows',
  tags,
  ...needs('datasets:read'),
  request: { params: importParameters },
  responses: {
    200: json('The import.', trajectoryImportSchema, importExample),
    ...notFound,
    ...failure,
  },
})

const listImported = createRoute({
  method: 'get',
  path: '/v1/trajectories/{import}/trajectories',
  operationId: 'listImported',
  summary: 'List the imported trajectories of an import, in the order of the rows',
  tags,
  ...needs('datasets:read'),
  request: { params: importParameters, query: strictQuery(listQuerySchema.shape) },
  responses: {
    200: json(
      'A page of trajectories.',
      listSchema(importedFactsSchema.extend({ id: z.string() }).meta({ id: 'ImportedTrajectory' })).meta({
        id: 'ImportedTrajectoryList',
      }),
      toListExample(factsExample),
    ),
    ...badRequest,
    ...notFound,
    ...failure,
  },
})

const listRejections = createRoute({
  method: 'get',
  path: '/v1/trajectories/{import}/rejections',
  operationId: 'listRejections',
  summary: 'List the first thousand rejected rows, with the reason for each',
  tags,
  ...needs('datasets:read'),
  request: { params: importParameters, query: strictQuery(listQuerySchema.shape) },
  responses: {
    200: json(
      'A page of rejections.',
      listSchema(rejectionSchema).meta({ id: 'TrajectoryRejectionList' }),
      toListExample(rejectionExample),
    ),
    ...badRequest,
    ...notFound,
    ...failure,
  },
})

export function addTrajectoryRoutes(app: ApiApp, services: ApiServices): void {
  const trajectoriesOf = (context: ApiContext) => ownServices(services, context).trajectories

  app.openapi(importTrajectories, async (context) => {
    const { name = null, more, file, ...settings } = context.req.valid('query')
    const made = await trajectoriesOf(context).create({ name, settings }, await readRows(context), {
      ...bodyOptions({ more, file }),
      ...idempotencyOption(context.req.valid('header')),
    })
    return context.json(made, 201, { Location: `/v1/trajectories/${made.id}` })
  })
  app.openapi(appendTrajectories, async (context) => {
    const { first, ...query } = context.req.valid('query')
    const id = context.req.valid('param').import
    const body = await readRows(context)
    return context.json(await trajectoriesOf(context).append(id, body, { first, ...bodyOptions(query) }), 200)
  })
  app.openapi(listImports, async (context) =>
    context.json(await trajectoriesOf(context).list(context.req.valid('query')), 200),
  )
  app.openapi(getImport, async (context) =>
    context.json(await trajectoriesOf(context).get(context.req.valid('param').import), 200),
  )
  app.openapi(listImported, async (context) => {
    const id = context.req.valid('param').import
    return context.json(await trajectoriesOf(context).page(id, context.req.valid('query')), 200)
  })
  app.openapi(listRejections, async (context) => {
    const id = context.req.valid('param').import
    return context.json(await trajectoriesOf(context).rejections(id, context.req.valid('query')), 200)
  })
}

function bodyOptions({ more, file }: { more: 'true' | 'false'; file?: string | undefined }) {
  return { more: more === 'true', ...(file !== undefined && { file }) }
}

async function readRows(context: ApiContext): Promise<Uint8Array> {
  const body = new Uint8Array(await context.req.arrayBuffer())
  const type = context.req.header('content-type') ?? ''
  if (body.byteLength === 0 || /^application\/(x-ndjson|jsonl|json)\b/i.test(type)) return body
  throw new EspalierError(
    'unsupported_media_type',
    'Label the rows with "Content-Type: application/x-ndjson", or application/json where the body is JSON as a whole.',
  )
}

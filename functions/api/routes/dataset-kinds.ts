import { createRoute } from '@hono/zod-openapi'
import { datasetFormatInfoSchema, datasetKindInfoSchema } from '../../../shared/contracts/dataset.ts'
import { listQuerySchema, listSchema } from '../../../shared/contracts/list.ts'
import type { ApiApp } from '../api-app.ts'
import { needs } from '../authentication/needs.ts'
import { badRequest, failure, json } from '../openapi/answers.ts'
import { strictQuery } from '../openapi/parameters.ts'
import { pageOf } from '../page-of.ts'

const tags = ['Datasets']
const query = strictQuery(listQuerySchema.shape)

const listDatasetKinds = createRoute({
  method: 'get',
  path: '/v1/dataset-kinds',
  operationId: 'listDatasetKinds',
  summary: 'List what rows can teach: the kinds, their parameters and the formats that fit',
  tags,
  ...needs(),
  request: { query },
  responses: {
    200: json('A page of kinds.', listSchema(datasetKindInfoSchema).meta({ id: 'DatasetKindList' })),
    ...badRequest,
    ...failure,
  },
})

const listDatasetFormats = createRoute({
  method: 'get',
  path: '/v1/dataset-formats',
  operationId: 'listDatasetFormats',
  summary: 'List the trainers’ formats that rows can be written in',
  tags,
  ...needs(),
  request: { query },
  responses: {
    200: json('A page of formats.', listSchema(datasetFormatInfoSchema).meta({ id: 'DatasetFormatList' })),
    ...badRequest,
    ...failure,
  },
})

export function addDatasetKindRoutes(app: ApiApp): void {
  // Every kind and format is loaded at the first request, not at each start.
  const load = () => import('../../../shared/datasets/describe-kinds.ts')
  app.openapi(listDatasetKinds, async (context) => {
    const { describeKinds } = await load()
    return context.json(pageOf(describeKinds(), context.req.valid('query')), 200)
  })
  app.openapi(listDatasetFormats, async (context) => {
    const { describeFormats } = await load()
    return context.json(pageOf(describeFormats(), context.req.valid('query')), 200)
  })
}

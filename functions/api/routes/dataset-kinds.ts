import { datasetFormatInfoSchema, datasetKindInfoSchema } from '../../../shared/core/contracts/dataset.ts'
import { listSchema } from '../../../shared/core/contracts/list.ts'
import type { ApiApp } from '../api-app.ts'
import { listRoute } from '../openapi/list-route.ts'
import { pageOf } from '../page-of.ts'

const tags = ['Datasets']

const listDatasetKinds = listRoute({
  path: '/v1/dataset-kinds',
  operationId: 'listDatasetKinds',
  summary: 'List the kinds of datasets, with their parameters and supported formats',
  tags,
  page: 'A page of kinds.',
  schema: listSchema(datasetKindInfoSchema).meta({ id: 'DatasetKindList' }),
})

const listDatasetFormats = listRoute({
  path: '/v1/dataset-formats',
  operationId: 'listDatasetFormats',
  summary: 'List the trainer formats for dataset rows',
  tags,
  page: 'A page of formats.',
  schema: listSchema(datasetFormatInfoSchema).meta({ id: 'DatasetFormatList' }),
})

export function addDatasetKindRoutes(app: ApiApp): void {
  const load = () => import('../../../shared/data/datasets/describe-kinds.ts')
  app.openapi(listDatasetKinds, async (context) => {
    const { describeKinds } = await load()
    return context.json(pageOf(describeKinds(), context.req.valid('query')), 200)
  })
  app.openapi(listDatasetFormats, async (context) => {
    const { describeFormats } = await load()
    return context.json(pageOf(describeFormats(), context.req.valid('query')), 200)
  })
}

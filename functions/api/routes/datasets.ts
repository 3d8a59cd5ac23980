import { basename } from 'node:path'
import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import {
  datasetPreviewRowSchema,
  datasetRequestSchema,
  datasetSchema,
  signedFileSchema,
} from '../../../shared/core/contracts/dataset.ts'
import { datasetPreviewSchema } from '../../../shared/core/contracts/dataset-preview.ts'
import { listQuerySchema, listSchema } from '../../../shared/core/contracts/list.ts'
import { digest } from '../../../shared/core/engine/digest.ts'
import { datasetKey } from '../../../shared/data/datasets/build/shard.ts'
import { answerLarge } from '../answer-large.ts'
import type { ApiApp, ApiContext } from '../api-app.ts'
import type { ApiServices } from '../api-services.ts'
import { needs } from '../authentication/needs.ts'
import {
  badBody,
  badRequest,
  body,
  conflict,
  failure,
  json,
  notFound,
  storedElsewhere,
} from '../openapi/answers.ts'
import { datasetExample } from '../openapi/examples.ts'
import { filterDescription, labelledEntryFilters } from '../openapi/label-filters.ts'
import { listRoute } from '../openapi/list-route.ts'
import {
  dryRunQuery,
  idempotencyHeaders,
  idempotencyOption,
  idParameter,
  strictQuery,
} from '../openapi/parameters.ts'
import { ownServices } from '../own-services.ts'
import { pageOf } from '../page-of.ts'

const tags = ['Datasets']
const signedSeconds = 3600
const mostRows = 100

const datasetParameters = z.object({ dataset: idParameter('The id of a dataset.', 'dataset-1') })

const createDataset = createRoute({
  method: 'post',
  path: '/v1/datasets',
  operationId: 'createDataset',
  summary: 'Build a dataset from runs and imported trajectories',
  description:
    'The API answers at once; the dataset has its files when its status is `succeeded`. Kinds that ask a model create a separate run for that; the dataset names it. With `dry_run=true` the API builds and stores nothing and asks no model. It returns the first rows of the dataset, and the reasons that would exclude others.',
  tags,
  ...needs('runs:write'),
  request: {
    headers: idempotencyHeaders,
    query: strictQuery({ dry_run: dryRunQuery }),
    body: body(datasetRequestSchema, datasetExample),
  },
  responses: {
    200: json('With `dry_run=true`: the first rows that the request would produce.', datasetPreviewSchema),
    201: json('The queued dataset.', datasetSchema),
    ...badBody,
    ...notFound,
    ...conflict,
    ...failure,
  },
})

const listDatasets = listRoute({
  path: '/v1/datasets',
  operationId: 'listDatasets',
  summary: 'List datasets, newest first',
  tags,
  role: 'datasets:read',
  description: filterDescription,
  filters: labelledEntryFilters,
  page: 'A page of datasets.',
  schema: listSchema(datasetSchema).meta({ id: 'DatasetList' }),
})

const getDataset = createRoute({
  method: 'get',
  path: '/v1/datasets/{dataset}',
  operationId: 'getDataset',
  summary: 'Get a dataset',
  tags,
  ...needs('datasets:read'),
  request: { params: datasetParameters },
  responses: {
    200: json(
      'The dataset: the progress of its build, and its manifest once it has succeeded.',
      datasetSchema,
    ),
    ...notFound,
    ...failure,
  },
})

const listDatasetFiles = createRoute({
  method: 'get',
  path: '/v1/datasets/{dataset}/files',
  operationId: 'listDatasetFiles',
  summary: 'Get download addresses for the files of a dataset',
  description: 'The addresses need no key and work for an hour. Repeat the request to get new ones.',
  tags,
  ...needs('datasets:read'),
  request: { params: datasetParameters, query: strictQuery(listQuerySchema.shape) },
  responses: {
    200: json(
      'A page of files.',
      listSchema(signedFileSchema.meta({ id: 'SignedFile' })).meta({ id: 'SignedFileList' }),
    ),
    ...badRequest,
    ...notFound,
    ...conflict,
    ...failure,
  },
})

const getDatasetReadme = createRoute({
  method: 'get',
  path: '/v1/datasets/{dataset}/readme',
  operationId: 'getDatasetReadme',
  summary: 'Get a dataset’s README, which shows how each trainer loads it',
  tags,
  ...needs('datasets:read'),
  request: { params: datasetParameters },
  responses: {
    200: {
      description: 'The dataset’s `README.md`, stored beside the data.',
      content: { 'text/markdown': { schema: z.string() } },
    },
    ...notFound,
    ...conflict,
    ...failure,
  },
})

const listDatasetRows = createRoute({
  method: 'get',
  path: '/v1/datasets/{dataset}/rows',
  operationId: 'listDatasetRows',
  summary: 'List rows of a dataset, each with its lineage',
  description:
    'For a quick look; to read all rows, download the files. Each row appears as its file holds it and as its trainer reads it, with the learned turns. If rows are long, a page has fewer rows than requested.',
  tags,
  ...needs('datasets:read'),
  request: {
    params: datasetParameters,
    query: strictQuery({
      split: z
        .string()
        .optional()
        .describe(
          'The split to list. Default: `train`, or the first split if there is no `train`. Without splits, all rows are `train`.',
        ),
      limit: z.coerce.number().int().min(1).max(mostRows).default(10),
      after: z.coerce.number().int().min(0).optional().describe('List rows after the row with this number.'),
    }),
  },
  responses: {
    200: json('A page of rows.', listSchema(datasetPreviewRowSchema).meta({ id: 'DatasetRowList' })),
    ...storedElsewhere,
    ...badRequest,
    ...notFound,
    ...conflict,
    ...failure,
  },
})

export function addDatasetRoutes(app: ApiApp, services: ApiServices): void {
  const datasetsOf = (context: ApiContext) => ownServices(services, context).datasets

  app.openapi(createDataset, async (context) => {
    const request = context.req.valid('json')
    if (context.req.valid('query').dry_run === 'true') {
      context.header('Cache-Control', 'no-store')
      return context.json(await datasetsOf(context).preview(request), 200)
    }
    const options = idempotencyOption(context.req.valid('header'))
    const dataset = await datasetsOf(context).create(request, options)
    return context.json(dataset, 201, { Location: `/v1/datasets/${dataset.id}` })
  })
  app.openapi(listDatasets, async (context) =>
    context.json(await datasetsOf(context).list(context.req.valid('query')), 200),
  )
  app.openapi(getDataset, async (context) => {
    return context.json(await datasetsOf(context).get(context.req.valid('param').dataset), 200)
  })
  app.openapi(listDatasetFiles, async (context) => {
    const { dataset } = context.req.valid('param')
    const own = datasetsOf(context)
    const all = [...(await own.files(dataset)), ...(await own.pictures(dataset))]
    const files = all.map((file) => ({ id: file.name, ...file }))
    const page = pageOf(files, context.req.valid('query'))
    const data = await Promise.all(
      page.data.map(async ({ key, ...file }) => {
        const signed = await services.objects.sign(key, {
          expires_in: signedSeconds,
          file_name: `${dataset}-${basename(file.name)}`,
        })
        // The local world signs paths: only the request knows the host's public address.
        const url = new URL(signed.url, context.req.url).href
        return { ...file, url, expires_at: signed.expires_at.toISOString() }
      }),
    )
    context.header('Cache-Control', 'no-store')
    return context.json({ ...page, data }, 200)
  })
  app.openapi(getDatasetReadme, async (context) => {
    const text = await datasetsOf(context).readme(context.req.valid('param').dataset)
    return context.body(text, 200, { 'Content-Type': 'text/markdown; charset=utf-8' })
  })
  app.openapi(listDatasetRows, async (context) => {
    const { dataset } = context.req.valid('param')
    const query = context.req.valid('query')
    const page = await datasetsOf(context).rows(dataset, query)
    // A single row can exceed the size limit of an answer.
    const key = datasetKey(dataset, `live/rows-${digest(JSON.stringify(query))}.json`)
    return answerLarge(context, services.objects, page, { key, fileName: `${dataset}-rows.json` })
  })
}

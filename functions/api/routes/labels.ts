import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { datasetSchema } from '../../../shared/core/contracts/dataset.ts'
import { deletedSchema, experimentSchema, labelChangeSchema } from '../../../shared/core/contracts/labels.ts'
import { listSchema } from '../../../shared/core/contracts/list.ts'
import { runSchema } from '../../../shared/core/contracts/run.ts'
import { trajectoryImportSchema } from '../../../shared/core/contracts/trajectory-import.ts'
import type { ApiApp } from '../api-app.ts'
import type { ApiServices } from '../api-services.ts'
import { needs } from '../authentication/needs.ts'
import { badBody, body, conflict, failure, json, notFound } from '../openapi/answers.ts'
import { labelExample } from '../openapi/examples.ts'
import { listRoute } from '../openapi/list-route.ts'
import { idParameter, runParameters } from '../openapi/parameters.ts'
import { ownServices } from '../own-services.ts'

const parameters = {
  run: runParameters,
  dataset: z.object({ dataset: idParameter('The id of a dataset.', 'dataset-1') }),
  import: z.object({ import: idParameter('The id of an import.', 'import-1') }),
}

const described =
  'Changes the name, experiment, tags or note, or archives the object. Fields that the body omits keep their values; null removes a text.'

const deletedAnswers = {
  200: json('The object is deleted.', deletedSchema),
  ...notFound,
  ...conflict,
  ...failure,
}

const labelRun = createRoute({
  method: 'patch',
  path: '/v1/runs/{run}',
  operationId: 'labelRun',
  summary: 'Rename, tag or archive a run',
  description: described,
  tags: ['Runs'],
  ...needs('runs:write'),
  request: { params: parameters.run, body: body(labelChangeSchema, labelExample) },
  responses: { 200: json('The run after the change.', runSchema), ...badBody, ...notFound, ...failure },
})

const deleteRun = createRoute({
  method: 'delete',
  path: '/v1/runs/{run}',
  operationId: 'deleteRun',
  summary: 'Delete a run that has ended',
  description:
    'Also deletes its episodes, trees and journals. The API refuses this until the run has ended, and while a dataset, a loop or another run refers to it.',
  tags: ['Runs'],
  ...needs('runs:write'),
  request: { params: parameters.run },
  responses: deletedAnswers,
})

const labelDataset = createRoute({
  method: 'patch',
  path: '/v1/datasets/{dataset}',
  operationId: 'labelDataset',
  summary: 'Rename, tag or archive a dataset',
  description: described,
  tags: ['Datasets'],
  ...needs('runs:write'),
  request: { params: parameters.dataset, body: body(labelChangeSchema, labelExample) },
  responses: { 200: json('The dataset.', datasetSchema), ...badBody, ...notFound, ...failure },
})

const deleteDataset = createRoute({
  method: 'delete',
  path: '/v1/datasets/{dataset}',
  operationId: 'deleteDataset',
  summary: 'Delete a dataset that has ended',
  description:
    'Also deletes its files. The API refuses this during a build, and while a training or a loop refers to the dataset.',
  tags: ['Datasets'],
  ...needs('runs:write'),
  request: { params: parameters.dataset },
  responses: deletedAnswers,
})

const labelImport = createRoute({
  method: 'patch',
  path: '/v1/trajectories/{import}',
  operationId: 'labelImport',
  summary: 'Rename, tag or archive an import',
  description: described,
  tags: ['Trajectories'],
  ...needs('runs:write'),
  request: { params: parameters.import, body: body(labelChangeSchema, labelExample) },
  responses: { 200: json('The import.', trajectoryImportSchema), ...badBody, ...notFound, ...failure },
})

const deleteImport = createRoute({
  method: 'delete',
  path: '/v1/trajectories/{import}',
  operationId: 'deleteImport',
  summary: 'Delete an import',
  description: 'Also deletes its rows. The API refuses this while a dataset or a loop refers to it.',
  tags: ['Trajectories'],
  ...needs('runs:write'),
  request: { params: parameters.import },
  responses: deletedAnswers,
})

const listExperiments = listRoute({
  path: '/v1/experiments',
  operationId: 'listExperiments',
  summary: 'List experiments, with the number of objects in each',
  description: 'An experiment exists as long as an object belongs to it.',
  tags: ['Experiments'],
  role: 'runs:read',
  page: 'A page of experiments.',
  schema: listSchema(experimentSchema).meta({ id: 'ExperimentList' }),
})

export function addLabelRoutes(app: ApiApp, services: ApiServices): void {
  app.openapi(labelRun, async (context) => {
    const { run } = context.req.valid('param')
    return context.json(await ownServices(services, context).runs.label(run, context.req.valid('json')), 200)
  })
  app.openapi(deleteRun, async (context) => {
    const id = context.req.valid('param').run
    await ownServices(services, context).removal.run(id)
    return context.json({ id, object: 'run' as const, deleted: true as const }, 200)
  })
  app.openapi(labelDataset, async (context) => {
    const { dataset } = context.req.valid('param')
    const { datasets } = ownServices(services, context)
    return context.json(await datasets.label(dataset, context.req.valid('json')), 200)
  })
  app.openapi(deleteDataset, async (context) => {
    const id = context.req.valid('param').dataset
    await ownServices(services, context).removal.dataset(id)
    return context.json({ id, object: 'dataset' as const, deleted: true as const }, 200)
  })
  app.openapi(labelImport, async (context) => {
    const id = context.req.valid('param').import
    const { trajectories } = ownServices(services, context)
    return context.json(await trajectories.label(id, context.req.valid('json')), 200)
  })
  app.openapi(deleteImport, async (context) => {
    const id = context.req.valid('param').import
    await ownServices(services, context).removal.import(id)
    return context.json({ id, object: 'trajectory_import' as const, deleted: true as const }, 200)
  })
  app.openapi(listExperiments, async (context) =>
    context.json(await ownServices(services, context).runs.experiments(context.req.valid('query')), 200),
  )
}

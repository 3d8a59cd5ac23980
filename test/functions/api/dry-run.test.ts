import { expect, test } from 'vitest'
import { datasetPreviewSchema } from '../../../shared/core/contracts/dataset-preview.ts'
import { validRun } from './fake-answers.ts'
import { openTestApi, readError } from './open-test-api.ts'

test('a dry run answers with an estimate and stores nothing, whatever its idempotency key', async () => {
  const { post, services } = openTestApi()
  await post('/v1/runs', validRun, { 'Idempotency-Key': 'a' })
  const answer = await post('/v1/runs?dry_run=true', { ...validRun, seed: 3 }, { 'Idempotency-Key': 'a' })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('Location')).toBeNull()
  expect(await answer.json()).toMatchObject({ object: 'run_estimate' })
  expect(services.calls.map(({ name }) => name)).toEqual(['create', 'estimate'])
  expect(services.calls[1]?.given).toEqual([expect.objectContaining({ tasks: { split: 'test' }, seed: 3 })])
})

test('a dry run of a dataset answers with its first rows and builds nothing', async () => {
  const { post, services } = openTestApi()
  const answer = await post('/v1/datasets?dry_run=true', { runs: ['r'] }, { 'Idempotency-Key': 'a' })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('Location')).toBeNull()
  expect(answer.headers.get('Cache-Control')).toBe('no-store')
  expect(datasetPreviewSchema.parse(await answer.json())).toMatchObject({ request: { kind: 'sft' } })
  expect(services.calls.map(({ name }) => name)).toEqual(['previewDataset'])
})

test('dry_run=false starts the run', async () => {
  const { post, services } = openTestApi()
  expect((await post('/v1/runs?dry_run=false', validRun)).status).toBe(201)
  expect(services.calls[0]?.name).toBe('create')
})

test.each([
  ['dry_run=yes', 'dry_run'],
  ['dryrun=true', 'dryrun'],
])('?%s is refused, and nothing is started', async (query, param) => {
  const { post, services } = openTestApi()
  const error = await readError(await post(`/v1/runs?${query}`, validRun))
  expect(error).toMatchObject({ status: 400, param })
  expect(services.calls).toEqual([])
})

test('a body that is wrong is refused as it is for a run', async () => {
  const { post } = openTestApi()
  const both = await Promise.all(
    ['/v1/runs', '/v1/runs?dry_run=true'].map(async (path) =>
      readError(await post(path, { ...validRun, epochs: 0 })),
    ),
  )
  expect(both[1]).toEqual(both[0])
  expect(both[1]).toMatchObject({ status: 400, param: 'epochs' })
})

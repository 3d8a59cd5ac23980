import { expect, test } from 'vitest'
import type { DatasetPreviewRow } from '../../../shared/core/contracts/dataset.ts'
import {
  datasetFormatInfoSchema,
  datasetFormatSchema,
  datasetKindInfoSchema,
  datasetKindSchema,
} from '../../../shared/core/contracts/dataset.ts'
import type { List } from '../../../shared/core/contracts/list.ts'
import { validRun } from './fake-answers.ts'
import { openTestApi, readError } from './open-test-api.ts'

test('a run is created with its defaults filled in, and the answer says where it is', async () => {
  const { post, services } = openTestApi()
  const answer = await post('/v1/runs', validRun)
  expect(answer.status).toBe(201)
  expect(answer.headers.get('Location')).toBe('/v1/runs/run-1')
  expect(await answer.json()).toMatchObject({ id: 'run-1', object: 'run' })
  expect(services.calls[0]?.given[0]).toMatchObject({ tasks: { split: 'test' }, epochs: 1, seed: 0 })
})

test('parameters of the method reach the service as they were given', async () => {
  const { post, services } = openTestApi()
  await post('/v1/runs', { ...validRun, method: { id: 'mcts', iterations: 3, deep: { list: [1, null] } } })
  expect(services.calls[0]?.given[0]).toMatchObject({
    method: { id: 'mcts', iterations: 3, deep: { list: [1, null] } },
  })
})

test.each(['/v1/runs', '/v1/datasets'])('the idempotency key of POST %s is passed on', async (path) => {
  const { post, services } = openTestApi()
  const body = path === '/v1/runs' ? validRun : { runs: ['run-1'] }
  await post(path, body, { 'idempotency-key': 'nightly 1' })
  expect(services.calls[0]?.given[1]).toEqual({ idempotencyKey: 'nightly 1' })
})

test('without an idempotency key none is passed on', async () => {
  const { post, services } = openTestApi()
  await post('/v1/runs', validRun)
  expect(services.calls[0]?.given[1]).toEqual({})
})

test.each([
  ['too long', 'x'.repeat(256)],
  ['not printable', 'caf\u00e9'],
  ['empty', ''],
])('an idempotency key that is %s is refused and nothing is created', async (_, key) => {
  const { post, services } = openTestApi()
  const error = await readError(await post('/v1/runs', validRun, { 'Idempotency-Key': key }))
  expect(error).toMatchObject({ status: 400, code: 'invalid_request', param: 'Idempotency-Key' })
  expect(error.message).toContain('1 to 255 printable')
  expect(services.calls).toEqual([])
})

test.each(['cancel', 'pause', 'retry'] as const)('POST …/%s takes no body', async (action) => {
  const { app, addRun, services } = openTestApi()
  const { id } = addRun()
  const answer = await app.request(`/v1/runs/${id}/${action}`, { method: 'POST' })
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({ id })
  expect(services.calls).toEqual([{ name: action, given: [id] }])
})

test.each(['resume', 'extend'] as const)('POST …/%s takes a body or none', async (action) => {
  const { app, addRun, post, services } = openTestApi()
  const { id } = addRun()
  expect((await app.request(`/v1/runs/${id}/${action}`, { method: 'POST' })).status).toBe(200)
  expect((await post(`/v1/runs/${id}/${action}`, { limits: { cost: 9 } })).status).toBe(200)
  expect(services.calls.map(({ given }) => given)).toEqual([
    [id, {}],
    [id, { limits: { cost: 9 } }],
  ])
})

test.each(['application/json', 'application/x-www-form-urlencoded'])(
  'an empty body labelled %s is none',
  async (type) => {
    const { addRun, post, services } = openTestApi()
    const { id } = addRun()
    expect((await post(`/v1/runs/${id}/resume`, '', { 'Content-Type': type })).status).toBe(200)
    expect(services.calls[0]?.given).toEqual([id, {}])
    expect(await readError(await post('/v1/runs', '', { 'Content-Type': type }))).toMatchObject({
      status: 400,
      param: 'environment',
    })
  },
)

test('the query of a list is passed on, with its defaults', async () => {
  const { app, services } = openTestApi()
  await app.request('/v1/runs')
  await app.request('/v1/runs?limit=7&after=run-3')
  await app.request('/v1/runs/run-1/episodes?status=errored')
  expect(services.calls.map(({ given }) => given)).toEqual([
    [{ limit: 20 }],
    [{ limit: 7, after: 'run-3' }],
    ['run-1', { limit: 20, status: 'errored', sort: 'index', order: 'asc' }],
  ])
})

test('episodes are narrowed and ordered as asked, and what they have no figure for is refused', async () => {
  const { app, services } = openTestApi()
  await app.request('/v1/runs/run-1/episodes?task=craft%2012&sort=cost&order=desc&after=ep-0000007')
  expect(services.calls.map(({ given }) => given)).toEqual([
    ['run-1', { limit: 20, task: 'craft 12', sort: 'cost', order: 'desc', after: 'ep-0000007' }],
  ])
  const refused = await app.request('/v1/runs/run-1/episodes?sort=luck')
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ error: { code: 'invalid_request', param: 'sort' } })
})

test('a tree that is stored is answered with an address that needs no key', async () => {
  const { app, services } = openTestApi()
  services.tree = { stored: 'runs/run-1/episodes/ep-0000000/attempts/1/tree.json' }
  const answer = await app.request('/v1/runs/run-1/episodes/ep-0000000/tree')
  expect(answer.status).toBe(307)
  expect(answer.headers.get('Location')).toBe(
    '/v1/files/runs/run-1/episodes/ep-0000000/attempts/1/tree.json?file_name=run-1-ep-0000000-tree.json&signature=s',
  )
  expect(answer.headers.get('Cache-Control')).toBe('no-store')
})

test.each(['tree', 'trajectory'])('a live %s is answered as it stands', async (kind) => {
  const { app, services } = openTestApi()
  services.tree = { live: { nodes: [{ depth: 0 }] } }
  const answer = await app.request(`/v1/runs/run-1/episodes/ep-0000000/${kind}`)
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual({ nodes: [{ depth: 0 }] })
})

test('a live tree too large for an answer is kept as it stands, and answered with an address', async () => {
  const { app, services } = openTestApi()
  services.tree = { live: { nodes: 'x'.repeat(5_000_000) } }
  const answer = await app.request('/v1/runs/run-1/episodes/ep-0000000/tree')
  expect(answer.status).toBe(307)
  expect(answer.headers.get('Location')).toContain('/v1/files/runs/run-1/episodes/ep-0000000/live/tree.json?')
  expect(services.put).toEqual(['runs/run-1/episodes/ep-0000000/live/tree.json'])
})

test('the files of a dataset come with whole addresses, page by page', async () => {
  const { app } = openTestApi()
  const first = await readPage(await app.request('http://example.test/v1/datasets/d-1/files?limit=1'))
  expect(first).toMatchObject({ has_more: true, last_id: 'manifest.json' })
  expect(first.data[0]).toEqual({
    id: 'manifest.json',
    name: 'manifest.json',
    rows: null,
    bytes: 10,
    sha256: 'ab',
    url: 'http://example.test/v1/files/datasets/d-1/manifest.json?file_name=d-1-manifest.json&signature=s',
    expires_at: '2030-01-01T00:00:00.000Z',
  })
  const second = await readPage(await app.request('/v1/datasets/d-1/files?after=manifest.json'))
  expect(second).toMatchObject({ has_more: false, first_id: 'data-00001.jsonl.gz' })
})

test('the README of a dataset comes as Markdown', async () => {
  const { app } = openTestApi()
  const answer = await app.request('/v1/datasets/d-1/readme')
  expect(answer.headers.get('Content-Type')).toBe('text/markdown; charset=utf-8')
  expect(await answer.text()).toBe('# Sticks')
})

test('a row of a dataset that is too large for an answer is kept, and answered with its address', async () => {
  const { app, services } = openTestApi()
  const row = {
    id: '0',
    object: 'dataset_row' as const,
    parts: [],
    lineage: {} as DatasetPreviewRow['lineage'],
  }
  services.rows = [{ ...row, data: { text: 'short' } }]
  expect(await (await app.request('/v1/datasets/d-1/rows')).json()).toMatchObject({ data: services.rows })
  services.rows = [{ ...row, data: { text: 'x'.repeat(5_000_000) } }]
  const answers = [
    await app.request('/v1/datasets/d-1/rows'),
    await app.request('/v1/datasets/d-1/rows?after=3'),
  ]
  expect(answers.map(({ status }) => status)).toEqual([307, 307])
  expect(services.put.map((key) => /^datasets\/d-1\/live\/rows-.+\.json$/.test(key))).toEqual([true, true])
  expect(new Set(services.put).size).toBe(2)
})

test('kinds and formats of datasets are listed, each with those of the other that fit', async () => {
  const { app } = openTestApi()
  const [kinds, formats] = await Promise.all(
    ['kinds', 'formats'].map(async (each) => (await readPage(await app.request(`/v1/dataset-${each}`))).data),
  )
  expect(kinds?.map(({ id }) => id)).toEqual(datasetKindSchema.options)
  expect(formats?.map(({ id }) => id)).toEqual(datasetFormatSchema.options)
  for (const kind of datasetKindInfoSchema.array().parse(kinds)) {
    const fitting = datasetFormatInfoSchema
      .array()
      .parse(formats)
      .filter((each) => each.kinds.includes(kind.id))
    expect(kind.formats, kind.id).toEqual(fitting.map(({ id }) => id))
    expect(kind.formats, kind.id).not.toEqual([])
    expect(kind.parameters, kind.id).toMatchObject({ type: 'object', additionalProperties: false })
  }
})

test('the catalogue is listed and found by id', async () => {
  const { app } = openTestApi()
  for (const path of ['environments', 'methods', 'models', 'environments/textcraft/tasks']) {
    const page = await readPage(await app.request(`/v1/${path}`))
    expect(page, path).toMatchObject({ object: 'list', has_more: false, data: [{ id: page.first_id }] })
  }
  expect(await (await app.request('/v1/environments/textcraft')).json()).toMatchObject({ id: 'textcraft' })
  expect(await (await app.request('/v1/methods/react')).json()).toMatchObject({ id: 'react' })
  const error = await readError(await app.request('/v1/methods/mcst'))
  expect(error).toMatchObject({ status: 404, code: 'not_found', param: 'method' })
  expect(error.message).toContain('react')
})

test('a list that is asked to go on behind an unknown item says so', async () => {
  const { app } = openTestApi()
  const error = await readError(await app.request('/v1/methods?after=nothing'))
  expect(error).toMatchObject({ status: 400, code: 'invalid_request', param: 'after' })
})

async function readPage(answer: Response): Promise<List<{ id: string }>> {
  return (await answer.json()) as List<{ id: string }>
}

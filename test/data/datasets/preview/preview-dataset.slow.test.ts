import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DatasetRequestInput } from '../../../../shared/core/contracts/dataset.ts'
import { datasetPreviewSchema } from '../../../../shared/core/contracts/dataset-preview.ts'
import type { World } from '../../../../shared/core/world/ports.ts'
import { forkedPath, treeNode, treeOf } from '../../../builders/trees.ts'
import { openOwnWorld } from '../../../support/open-test-world.ts'
import { buildNow, openTestDatasets } from '../open-test-datasets.ts'
import { many, type PlayedEpisode, request, StoredRuns, solved, unsolved } from '../stored-runs.ts'

let world: World
let close: () => Promise<void>

beforeEach(async () => {
  ;({ world, close } = await openOwnWorld())
})
afterEach(() => close())

type Rest = Parameters<typeof openTestDatasets>[2]

function open(runs: Record<string, PlayedEpisode[]>, rest: Rest = {}) {
  const stored = new StoredRuns(world.objects, runs)
  const tenants = openTestDatasets(world, stored, rest)
  const datasets = { ...tenants, ...tenants.of('default') }
  const preview = async (input: DatasetRequestInput = {}) => {
    const found = await datasets.preview(request(input))
    return datasetPreviewSchema.parse(JSON.parse(JSON.stringify(found)))
  }
  return { datasets, preview, stored }
}

test('a preview of a small run is what building it gives, and stores nothing', async () => {
  const { datasets, preview } = open({ 'run-1': many(12) })
  const found = await preview()
  expect(found.complete).toBe(true)
  expect((await world.objects.list('datasets/')).objects).toEqual([])
  expect((await datasets.list({ limit: 10 })).data).toEqual([])

  const { id } = await datasets.create(request())
  await buildNow(datasets, id)
  const built = await datasets.get(id)
  expect(found.request).toEqual(built.request)
  expect(found.gates).toEqual(built.gates)
  expect(found.tokens).toEqual(built.tokens)
  expect(found.rows_found).toBe(built.rows)
  const { data } = await datasets.rows(id, { limit: 20 })
  expect(found.rows.map(({ dropped, ...row }) => row)).toEqual(data)
  expect(found.rows.every(({ dropped }) => dropped === null)).toBe(true)
  expect({ ...found.listed.left_out, ...found.read.left_out }).toEqual(built.left_out)
})

test('of a large run no more than fifty trees are read and twenty rows shown', async () => {
  const { preview, stored } = open({ 'run-1': many(2000) })
  const found = await preview()
  expect(found).toMatchObject({ complete: false, listed: { episodes: 1000 }, rows_found: 50 })
  // And one to see whether the run's prompts showed pictures.
  expect(stored.treesRead).toBe(51)
  expect(found.rows).toHaveLength(20)
})

test('attempts that are known to give nothing are passed over unread, until some do', async () => {
  const failures = Array.from({ length: 400 }, (_, index) => ({
    ...unsolved('failed', 0),
    tree: forkedPath(`hard-${index}`, 2),
  }))
  const { preview, stored } = open({ 'run-1': [...failures, solved('a')] })
  const found = await preview()
  expect(found).toMatchObject({ complete: true, rows_found: 1, read: { left_out: { failed: 400 } } })
  // And the first attempt's, to see whether the run's prompts showed pictures.
  expect(stored.treesRead).toBe(2)
})

test('a tree of very many rows ends the search for more', async () => {
  const branches = Array.from({ length: 600 }, (_, index) =>
    treeNode(0, `way ${index}`, {
      visits: 4,
      value: index % 2,
      terminal: true,
      done: true,
      reward: index % 2,
    }),
  )
  const tree = treeOf(2, [treeNode(null, 'root', { visits: 9 }), ...branches], { task: 'wide' })
  const { preview } = open({ 'run-1': [{ status: 'succeeded', reward: 1, tree }] })
  const found = await preview({ kind: 'step-preference', format: 'trl', parameters: { pairs: 'all' } })
  expect(found).toMatchObject({ complete: false, rows_found: 200 })
})

test('a first row that is too long for an answer is not shown, and is said not to be', async () => {
  const long = solved('a')
  long.tree = { ...long.tree, messages: [{ role: 'user', content: 'a'.repeat(7_000_000) }] }
  const { preview } = open({ 'run-1': [long, solved('b')] })
  const found = await preview()
  expect(Buffer.byteLength(JSON.stringify(found))).toBeLessThan(6_000_000)
  expect(found).toMatchObject({ rows_found: 2, rows: [] })
  expect(found.warnings).toEqual([expect.stringMatching(/^The first row has 7,\d{3},\d{3} bytes/)])
})

test('rows of very much text end the search for more', async () => {
  const wordy = Array.from({ length: 8 }, (_, index) => {
    const episode = solved(`task ${index}`)
    const messages = [{ role: 'user' as const, content: `${index} `.repeat(2_000_000) }]
    return { ...episode, tree: { ...episode.tree, messages } }
  })
  const { preview } = open({ 'run-1': wordy })
  const found = await preview()
  expect(found.complete).toBe(false)
  expect(found.rows_found).toBeLessThan(8)
})

test('a row that a gate keeps out says which and why', async () => {
  const splitsOf = async () => new Map([['b', { split: 'test', type: null }]])
  const other = solved('b')
  other.tree = { ...other.tree, messages: [{ role: 'user', content: 'Goal: a plank.' }] }
  const { preview } = open({ 'run-1': [solved('a'), other, solved('a')] }, { splitsOf } as Rest)
  const found = await preview()
  expect(found.rows.map(({ lineage, dropped }) => [lineage.task, dropped])).toEqual([
    ['a', null],
    ['a', { gate: 'duplicates', reason: 'equal to an earlier row, character for character' }],
    ['b', { gate: 'held_out', reason: 'a task that the environment holds out for evaluation' }],
  ])
  expect(found.gates.held_out).toEqual({ found: 1, dropped: 1 })
})

test('a row that the format cannot hold is shown as it is, with the reason', async () => {
  const two = [
    treeNode(null, 'root'),
    treeNode(0, 'one', { visits: 4, value: 1 }),
    treeNode(0, 'two', { visits: 4 }),
  ]
  const { preview } = open({
    'run-1': [solved('a', 3), { ...unsolved('failed', 0), tree: treeOf(2, two, { task: 'a' }) }],
  })
  const found = await preview({ kind: 'unpaired', format: 'llama-factory' })
  const [first] = found.rows
  expect(first).toMatchObject({ data: null, dropped: { gate: 'unfit' } })
  expect(first?.dropped?.reason).toMatch(/the completion has more than one message/)
  expect(first?.parts.map(({ name }) => name)).toEqual(['prompt', 'completion'])
})

test('a kind that asks a model names it and the number of episodes, and sends no request', async () => {
  const { preview } = open({ 'run-1': many(2000) })
  const found = await preview({ kind: 'revision', model: { id: 'judge' } })
  // Two of three episodes of `many` succeeded; the others failed, and both sorts are attempts.
  expect(found.asks).toEqual({ episodes: 2000, endpoint: 'simulated', model: 'judge' })
  const end = await preview({ kind: 'revision', parameters: { first_error: 'end' } })
  expect(end.asks).toBeNull()
})

test('what cannot be built cannot be previewed, for the same reason', async () => {
  const { datasets, preview } = open({ 'run-1': [solved('a')] })
  const wrong = { kind: 'preference', format: 'openai' } as const
  const [previewed, built] = await Promise.allSettled([preview(wrong), datasets.create(request(wrong))])
  expect(previewed).toMatchObject({ status: 'rejected', reason: { param: 'format' } })
  expect((previewed as PromiseRejectedResult).reason).toEqual((built as PromiseRejectedResult).reason)
})

test('rows and README are there once the dataset is built, and not before', async () => {
  const { datasets } = open({ 'run-1': [solved('a')] })
  const { id } = await datasets.create(request({ format: 'parquet' }))
  await expect(datasets.rows(id, { limit: 1 })).rejects.toMatchObject({ code: 'invalid_state' })
  await expect(datasets.readme(id)).rejects.toMatchObject({ code: 'invalid_state' })
  await buildNow(datasets, id)
  expect((await datasets.rows(id, { limit: 5 })).data[0]).toMatchObject({
    data: { type: 'conversation' },
    parts: [{ name: 'messages' }],
    lineage: { task: 'a' },
  })
  expect(await datasets.readme(id)).toContain('load_dataset(')
  await expect(datasets.readme('dataset-0')).rejects.toMatchObject({ code: 'not_found' })
})

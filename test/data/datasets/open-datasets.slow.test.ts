import { hash } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { lineageRowSchema } from '../../../shared/core/contracts/dataset.ts'
import { treeSchema } from '../../../shared/core/contracts/tree.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import { head } from '../../builders/trees.ts'
import { openOwnWorld } from '../../support/open-test-world.ts'
import { killable } from './killable-world.ts'
import { buildNow, openTestDatasets } from './open-test-datasets.ts'
import { many, type PlayedEpisode, readLines, request, StoredRuns, solved, unsolved } from './stored-runs.ts'

let world: World
let close: () => Promise<void>

beforeEach(async () => {
  ;({ world, close } = await openOwnWorld())
})
afterEach(() => close())

function open(runs: Record<string, PlayedEpisode[]>) {
  const stored = new StoredRuns(world.objects, runs)
  const tenants = openTestDatasets(world, stored)
  return { datasets: { ...tenants, ...tenants.of('default') }, stored, tenants }
}

async function bodiesOf(dataset: string): Promise<Map<string, Buffer>> {
  const { objects } = await world.objects.list(`datasets/${dataset}/`)
  const bodies = new Map<string, Buffer>()
  for (const { key } of objects) {
    const object = await world.objects.get(key)
    if (object !== null) bodies.set(key.slice(`datasets/${dataset}/`.length), Buffer.from(object.body))
  }
  return bodies
}

/** All files, but for the manifest's id and time; nothing else is left of either build. */
async function expectSameBytes(left: string, right: string): Promise<void> {
  const [expected, found] = [await bodiesOf(left), await bodiesOf(right)]
  expect([...found.keys()]).toEqual([...expected.keys()])
  for (const [name, body] of expected) {
    if (name !== 'manifest.json') expect(found.get(name)?.equals(body), name).toBe(true)
  }
  const { id: _, created_at: __, ...facts } = JSON.parse(String(expected.get('manifest.json')))
  expect(JSON.parse(String(found.get('manifest.json')))).toMatchObject(facts)
}

async function readJson(key: string): Promise<unknown> {
  const object = await world.objects.get(key)
  return JSON.parse(Buffer.from(object?.body ?? []).toString())
}

describe('a dataset', () => {
  test('is queued by create and holds its rows, counts and files once built', async () => {
    const { datasets } = open({
      'run-1': [solved('a'), unsolved('failed', 0), unsolved('errored'), solved('b')],
      'run-2': [unsolved('limited'), unsolved('cancelled'), unsolved('running'), solved('c')],
    })
    const queued = await datasets.create(request({ name: 'sticks', runs: ['run-1', 'run-2'] }))
    expect(queued).toMatchObject({ status: 'queued', name: 'sticks', rows: 0, files: [] })
    await buildNow(datasets, queued.id)
    const built = await datasets.get(queued.id)
    expect(built).toMatchObject({ status: 'succeeded', error: null, rows: 3 })
    expect(built.left_out).toEqual({ failed: 1, limited: 1, errored: 1, cancelled: 1, not_finished: 1 })
    expect(built.files.map(({ name, rows }) => [name, rows])).toEqual([
      ['data-00001.jsonl.gz', 3],
      ['lineage-00001.jsonl.gz', 3],
      ['README.md', null],
    ])
    const bodies = await bodiesOf(queued.id)
    expect(JSON.parse(String(bodies.get('manifest.json')))).toEqual(built)
  })

  test('is built from the runs of the tenant that asked for it', async () => {
    const own = new StoredRuns(world.objects, { 'run-1': [solved('a'), solved('b')] })
    const others = new StoredRuns(world.objects, { 'run-1': [solved('c')] })
    const tenants = openTestDatasets(world, own, {
      runs: { of: (tenant) => (tenant === 'acme' ? own : others) },
    })
    const { id } = await tenants.of('acme').create(request())
    await buildNow(tenants, id)
    expect(await tenants.of('acme').get(id)).toMatchObject({ status: 'succeeded', rows: 2 })
    expect(others.treesRead).toBe(0)
    const elsewhere = tenants.of('rival').get(id)
    await expect(elsewhere).rejects.toThrow(`There is no dataset "${id}".`)
  })

  test('lists every file with its true size and digest, the manifest included', async () => {
    const { datasets } = open({ 'run-1': [solved('a')] })
    const { id } = await datasets.create(request())
    await expect(datasets.files(id)).rejects.toMatchObject({ code: 'invalid_state', param: 'dataset' })
    await buildNow(datasets, id)
    const files = await datasets.files(id)
    const bodies = await bodiesOf(id)
    expect(files.map(({ name }) => name).toSorted()).toEqual([...bodies.keys()].toSorted())
    for (const { name, bytes, sha256, key } of files) {
      const body = bodies.get(name) ?? Buffer.of()
      expect(key).toBe(`datasets/${id}/${name}`)
      expect({ bytes, sha256 }).toEqual({ bytes: body.byteLength, sha256: hash('sha256', body) })
    }
  })

  test('leads by its lineage from every row to the node whose message the row ends on', async () => {
    const { datasets } = open({ 'run-1': many(20) })
    const { id } = await datasets.create(request({ rows_per_file: 6 }))
    await buildNow(datasets, id)
    const { files, rows } = await datasets.get(id)
    let seen = 0
    for (const file of files.filter(({ name }) => name.startsWith('data-'))) {
      const data = await readLines(world.objects, `datasets/${id}/${file.name}`)
      const lineage = await readLines(world.objects, `datasets/${id}/${file.name.replace('data', 'lineage')}`)
      expect(lineage).toHaveLength(data.length)
      for (const [index, line] of lineage.entries()) {
        const { row, origin, task } = lineageRowSchema.parse(line)
        expect(row).toBe(index)
        expect(origin).toMatchObject({ model: 'simulated/gardener', method: 'mcts', reward: 1 })
        const tree = treeSchema.parse(
          await readJson(`runs/${origin.source}/episodes/${origin.episode}/tree.json`),
        )
        expect(tree.task).toBe(task)
        const { messages } = data[index] as { messages: unknown[] }
        const last = tree.nodes[origin.node_ids.at(-1) ?? -1]
        expect(messages.at(-1)).toMatchObject({ role: 'assistant', content: last?.message })
        expect(messages).toHaveLength(head.length + 2 * (origin.node_ids.length - 1) - 1)
        seen += 1
      }
    }
    expect(seen).toBe(rows)
    expect(files.filter(({ name }) => name.startsWith('data-')).map((file) => file.rows)).toEqual([6, 6, 2])
  })

  test('keeps every row when the last run gives none', async () => {
    const { datasets } = open({ 'run-1': [solved('a')], 'run-2': [unsolved('failed', 0)] })
    const { id } = await datasets.create(request({ runs: ['run-1', 'run-2'] }))
    await buildNow(datasets, id)
    const { files } = await datasets.get(id)
    expect(files[0]).toMatchObject({ name: 'data-00001.jsonl.gz', rows: 1 })
  })

  test('takes by reward instead of success when a minimum is given', async () => {
    const { datasets } = open({ 'run-1': [unsolved('failed', 0.5), unsolved('failed', 0.2), solved('a')] })
    const { id } = await datasets.create(request({ parameters: { min_reward: 0.5 } }))
    await buildNow(datasets, id)
    expect(await datasets.get(id)).toMatchObject({ rows: 2, left_out: { below_min_reward: 1 } })
  })

  test('without a single row succeeds and says why', async () => {
    const { datasets } = open({ 'run-1': [unsolved('failed', 0), unsolved('errored')] })
    const { id } = await datasets.create(request())
    await buildNow(datasets, id)
    const built = await datasets.get(id)
    expect(built).toMatchObject({ status: 'succeeded', rows: 0, left_out: { failed: 1, errored: 1 } })
    expect(built.files.map(({ name }) => name)).toEqual(['README.md'])
    const card = String((await bodiesOf(id)).get('README.md'))
    expect(card).toContain('There are no rows')
    expect(card).toContain('| `failed` | 1 | the task was not solved |')
    // Names what is not there: else a loader would take the manifest for rows.
    expect(card).toContain('path: data-*')
  })
})

describe('the same request over the same runs', () => {
  test('gives the same bytes, but for the manifest’s id and time', async () => {
    const { datasets } = open({ 'run-1': many(30), 'run-2': many(5) })
    const wanted = request({ runs: ['run-1', 'run-2'], rows_per_file: 7 })
    const [first, second] = [await datasets.create(wanted), await datasets.create(wanted)]
    await buildNow(datasets, first.id)
    await buildNow(datasets, second.id)
    await expectSameBytes(first.id, second.id)
    expect((await bodiesOf(first.id)).size).toBe(8)
  })

  test('gives the same bytes in whatever order, and how often, parts are collected', async () => {
    const { datasets } = open({ 'run-1': many(600) })
    const wanted = request({ rows_per_file: 100 })
    const [whole, mixed] = [await datasets.create(wanted), await datasets.create(wanted)]
    await buildNow(datasets, whole.id)
    await buildNow(datasets, mixed.id, { order: (parts) => [...parts.toReversed(), ...parts] })
    expect((await datasets.get(mixed.id)).progress).toEqual({ phase: 'done', parts: 3, parts_done: 3 })
    await expectSameBytes(whole.id, mixed.id)
  })

  test('gives the same bytes when it is stopped in the middle of its files', async () => {
    const { datasets } = open({ 'run-1': many(60), 'run-2': many(90) })
    const wanted = request({ runs: ['run-1', 'run-2'], rows_per_file: 4, gates: { duplicates: 'keep' } })
    const [whole, stopped] = [await datasets.create(wanted), await datasets.create(wanted)]
    await buildNow(datasets, whole.id)
    const stop = new AbortController()
    const put = world.objects.put.bind(world.objects)
    world.objects.put = (key, ...rest) => {
      if (key.endsWith('data-00009.jsonl.gz')) stop.abort(new Error('killed'))
      return put(key, ...rest)
    }
    await expect(buildNow(datasets, stopped.id, { signal: stop.signal })).rejects.toThrow('killed')
    world.objects.put = put
    const half = await datasets.get(stopped.id)
    expect(half).toMatchObject({ status: 'running', progress: { phase: 'assembling' }, files: [] })
    expect(half.rows).toBeGreaterThanOrEqual(36)
    expect(half.rows).toBeLessThan(100)
    await buildNow(datasets, stopped.id)
    await expectSameBytes(whole.id, stopped.id)
  })
})

test('killing a build at any change of the world, any number of times, changes no byte', async () => {
  const runs = { 'run-1': many(300), 'run-2': many(20) }
  const { datasets, stored } = open(runs)
  const wanted = request({
    runs: ['run-1', 'run-2'],
    rows_per_file: 40,
    splits: { train: 0.7, validation: 0.3 },
  })
  const whole = await datasets.create(wanted)
  await buildNow(datasets, whole.id)
  const deaths = fc.array(fc.record({ changes: fc.integer({ min: 1, max: 60 }), made: fc.boolean() }), {
    minLength: 1,
    maxLength: 4,
  })
  await fc.assert(
    fc.asyncProperty(deaths, async (moments) => {
      const { id } = await datasets.create(wanted)
      for (const moment of moments) {
        const dying = killable(world, moment)
        const killed = buildNow(openTestDatasets(dying, stored), id)
        await killed.catch((error) => expect(String(error)).toBe('Error: killed'))
      }
      await buildNow(datasets, id)
      await expectSameBytes(whole.id, id)
    }),
    { numRuns: 15 },
  )
})

describe('create', () => {
  test('names the run at fault by its place', async () => {
    const { datasets } = open({ 'run-1': [solved('a')], young: [unsolved('running')] })
    const refused = (runs: string[]) => expect(datasets.create(request({ runs }))).rejects
    await refused(['gone']).toMatchObject({ code: 'not_found', param: 'runs[0]' })
    await refused(['run-1', 'young']).toMatchObject({ code: 'invalid_state', param: 'runs[1]' })
    await refused(['run-1', 'run-1']).toMatchObject({ code: 'invalid_request', param: 'runs[1]' })
    expect((await datasets.list({ limit: 10 })).data).toEqual([])
  })

  test('refuses a model or limits where no model is asked', async () => {
    const { datasets } = open({ 'run-1': [solved('a')] })
    const refused = (rest: object) => expect(datasets.create(request(rest))).rejects
    await refused({ limits: { cost: 1 } }).toMatchObject({ code: 'invalid_request', param: 'limits' })
    const model = { id: 'judge' }
    await refused({ model, limits: { cost: 1 } }).toMatchObject({ code: 'invalid_request', param: 'model' })
    const direct = { kind: 'revision' as const, parameters: { first_error: 'end' } }
    await refused({ ...direct, model }).toMatchObject({ code: 'invalid_request', param: 'model' })
    await datasets.create(request({ kind: 'revision', model }))
  })

  test('with the same key and request answers the first dataset, with another request refuses', async () => {
    const { datasets } = open({ 'run-1': [solved('a')] })
    const first = await datasets.create(request(), { idempotencyKey: 'key' })
    const again = await datasets.create(request(), { idempotencyKey: 'key' })
    expect(again.id).toBe(first.id)
    const shared = (parameters: object) => request({ splits: { train: 1 }, parameters } as never)
    const one = await datasets.create(shared({ min_reward: 0.5, paths: 'ends' }), { idempotencyKey: 'k2' })
    const turned = await datasets.create(shared({ paths: 'ends', min_reward: 0.5 }), { idempotencyKey: 'k2' })
    expect(turned.id).toBe(one.id)
    await expect(
      datasets.create(request({ name: 'other' }), { idempotencyKey: 'key' }),
    ).rejects.toMatchObject({ code: 'idempotency_key_reused' })
    expect((await datasets.list({ limit: 10 })).data).toHaveLength(2)
  })

  test('racing itself with one key makes one dataset', async () => {
    const { datasets } = open({ 'run-1': [solved('a')] })
    const made = await Promise.all(
      Array.from({ length: 5 }, () => datasets.create(request(), { idempotencyKey: 'key' })),
    )
    expect(new Set(made.map(({ id }) => id)).size).toBe(1)
  })
})

test('lists are newest first and paged', async () => {
  const { datasets } = open({ 'run-1': [solved('a')] })
  const ids: string[] = []
  for (let index = 0; index < 3; index += 1) {
    ids.unshift((await datasets.create(request())).id)
    await world.clock.sleep(2)
  }
  const page = await datasets.list({ limit: 2 })
  expect(page).toMatchObject({ has_more: true, last_id: ids[1] })
  expect(page.data.map(({ id }) => id)).toEqual(ids.slice(0, 2))
  const rest = await datasets.list({ limit: 2, after: ids[1] })
  expect(rest).toMatchObject({ has_more: false, first_id: ids[2] })
})

test('a dataset that was built before there were formats to choose from is listed, shown and downloaded', async () => {
  const { datasets } = open({ 'run-1': [solved('a')] })
  const { id } = await datasets.create(request())
  await buildNow(datasets, id)
  const before = {
    id,
    object: 'dataset',
    name: 'early',
    error: null,
    created_at: '2026-01-01T00:00:00.000Z',
    request: { runs: ['run-1'], kind: 'sft', format: 'openai-chat', rows_per_file: 10_000 },
    rows: 1,
    left_out: {},
  }
  const file = { name: 'data-00001.jsonl.gz', rows: 1, bytes: 3, sha256: 'ab' }
  const key = { partition: `dataset/${id}`, sort: 'dataset' }
  await world.ledger.update({ key, delete: true })
  await world.ledger.update({ key, set: { ...before, tenant: 'default', status: 'succeeded' } })
  const manifest = JSON.stringify({ ...before, status: 'succeeded', files: [file] })
  await world.objects.put(`datasets/${id}/manifest.json`, Buffer.from(manifest))
  expect(await datasets.get(id)).toMatchObject({
    name: 'early',
    files: [file],
    request: { format: 'openai' },
  })
  expect((await datasets.list({ limit: 10 })).data).toMatchObject([{ id, progress: { phase: 'done' } }])
  expect((await datasets.files(id)).map(({ name }) => name)).toEqual(['data-00001.jsonl.gz', 'manifest.json'])
})

test('a build raced by others from the beginning gives what one alone does', async () => {
  const { datasets } = open({ 'run-1': many(300) })
  const wanted = request({ rows_per_file: 50 })
  const [alone, raced] = [await datasets.create(wanted), await datasets.create(wanted)]
  await buildNow(datasets, alone.id)
  const racers = await Promise.allSettled([1, 2, 3].map(() => buildNow(datasets, raced.id)))
  expect(racers.filter(({ status }) => status === 'fulfilled')).not.toEqual([])
  await buildNow(datasets, raced.id)
  await expectSameBytes(alone.id, raced.id)
})

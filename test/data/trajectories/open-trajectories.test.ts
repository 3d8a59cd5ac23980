import { expect, onTestFinished, test } from 'vitest'
import { importSettingsSchema } from '../../../shared/core/contracts/trajectory-import.ts'
import { openTrajectories } from '../../../shared/data/trajectories/open-trajectories.ts'
import { openOwnWorld } from '../../support/open-test-world.ts'
import { allOf } from './read-text.ts'

const settings = importSettingsSchema.parse({ format: 'eto', environment: 'textcraft' })
const request = { name: 'experts', settings }

const row = (id: number, reward = 1) => ({
  id,
  reward,
  conversations: [
    { from: 'human', value: `Task ${id}.` },
    { from: 'gpt', value: 'Action: inventory' },
  ],
})
const bad = { id: 0, conversations: [] }
const bodyOf = (...rows: object[]) => Buffer.from(rows.map((each) => `${JSON.stringify(each)}\n`).join(''))
const none = new Uint8Array()

async function openOwn() {
  const { world, close } = await openOwnWorld()
  onTestFinished(close)
  const tenants = openTrajectories({ world })
  return { world, tenants, own: tenants.of('default') }
}

test('rows become trajectories with their facts and trees, and the others are counted and listed', async () => {
  const { own } = await openOwn()
  const made = await own.create(request, bodyOf(row(1), bad, row(3, 0.5)), { more: false, file: 'a.jsonl' })
  expect(made).toMatchObject({
    status: 'complete',
    trajectories: 2,
    rejected: 1,
    next: 4,
    parts: 1,
    name: 'experts',
  })
  const facts = await allOf(own.facts(made.id))
  expect(facts).toEqual([
    {
      episode: 'row-0000001',
      part: 1,
      environment: 'textcraft',
      data: null,
      task: 'textcraft_1',
      method: 'expert',
      model: 'imported/unknown',
      status: 'succeeded',
      reward: 1,
      success: true,
      seed: 0,
      file: 'a.jsonl',
      line: 1,
    },
    expect.objectContaining({
      episode: 'row-0000003',
      task: 'textcraft_3',
      status: 'failed',
      reward: 0.5,
      success: false,
      line: 3,
    }),
  ])
  const trees = await own.trees(made.id, 1)
  expect([...trees.keys()]).toEqual(['row-0000001', 'row-0000003'])
  expect(trees.get('row-0000003')?.nodes).toHaveLength(2)
  expect((await own.rejections(made.id, { limit: 10 })).data).toMatchObject([
    { id: 'row-0000002', file: 'a.jsonl', line: 2, field: 'conversations' },
  ])
})

test('what announces more grows by bodies, each taken once, and gives datasets when it is complete', async () => {
  const { own } = await openOwn()
  const { id } = await own.create(request, none, { more: true })
  const second = bodyOf(row(3), bad)
  await own.append(id, bodyOf(row(1), row(2)), { first: 1, more: true })
  expect(await own.append(id, second, { first: 3, more: true })).toMatchObject({ next: 5, parts: 2 })
  expect(await own.append(id, second, { first: 3, more: true })).toMatchObject({
    next: 5,
    parts: 2,
    rejected: 1,
  })
  await expect(allOf(own.facts(id))).rejects.toMatchObject({ code: 'invalid_state' })
  await expect(own.append(id, bodyOf(row(9)), { first: 9, more: true })).rejects.toMatchObject({
    code: 'conflict',
    param: 'first',
  })
  await expect(own.append(id, bodyOf(row(9)), { first: 3, more: true })).rejects.toMatchObject({
    code: 'conflict',
  })
  const done = await own.append(id, none, { first: 5, more: false })
  expect(done).toMatchObject({ status: 'complete', trajectories: 3 })
  expect(await own.append(id, none, { first: 5, more: false })).toEqual(done)
  expect(await own.append(id, second, { first: 3, more: true })).toEqual(done)
  await expect(own.append(id, bodyOf(row(6)), { first: 5, more: false })).rejects.toMatchObject({
    code: 'invalid_state',
  })
  const tasks = (await allOf(own.facts(id))).map(({ task, part }) => [task, part])
  expect(tasks).toEqual([
    ['textcraft_1', 1],
    ['textcraft_2', 1],
    ['textcraft_3', 2],
  ])
})

test('two that send the next rows at once: one body is taken', async () => {
  const { own } = await openOwn()
  const { id } = await own.create(request, none, { more: true })
  const sent = await Promise.allSettled(
    [1, 2, 3].map((each) => own.append(id, bodyOf(row(each)), { first: 1, more: true })),
  )
  expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await own.get(id)).toMatchObject({ next: 2, parts: 1, trajectories: 1 })
})

test('rows that come while the end is announced are either in it or refused', async () => {
  const { own } = await openOwn()
  for (let round = 0; round < 10; round++) {
    const { id } = await own.create(request, none, { more: true })
    const sends = [
      () => own.append(id, bodyOf(row(1)), { first: 1, more: true }),
      () => own.append(id, none, { first: 1, more: false }),
    ]
    const sent = await Promise.allSettled(
      (round % 2 === 0 ? sends : sends.toReversed()).map((send) => send()),
    )
    expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const { status, next, parts, trajectories } = await own.get(id)
    expect([
      { status: 'complete', next: 1, parts: 0, trajectories: 0 },
      { status: 'receiving', next: 2, parts: 1, trajectories: 1 },
    ]).toContainEqual({ status, next, parts, trajectories })
  }
})

test('the same key and request make one import, another request with the key is refused', async () => {
  const { own } = await openOwn()
  const body = bodyOf(row(1))
  const options = { more: false, idempotencyKey: 'k' }
  const made = await Promise.all([1, 2, 3].map(() => own.create(request, body, options)))
  expect(new Set(made.map(({ id }) => id)).size).toBe(1)
  expect((await own.list({ limit: 10 })).data).toHaveLength(1)
  await expect(own.create({ ...request, name: 'other' }, body, options)).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  })
  await expect(own.create(request, bodyOf(row(2)), options)).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  })
})

test('where nothing is a trajectory nothing is stored, and the first row says why', async () => {
  const { own } = await openOwn()
  await expect(own.create(request, bodyOf({ messages: [] }), { more: false })).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('looks like the format openai'),
  })
  await expect(own.create(request, none, { more: false })).rejects.toMatchObject({ code: 'invalid_request' })
  expect((await own.list({ limit: 10 })).data).toEqual([])
})

test('a kill between storing rows and recording them loses nothing and leaves nothing torn', async () => {
  const { world } = await openOwn()
  let killed = false
  const ledger: typeof world.ledger = {
    get: (key) => world.ledger.get(key),
    update: (change) => world.ledger.update(change),
    query: (...given) => world.ledger.query(...given),
    async transact(changes) {
      if (!killed && changes.some(({ key }) => key.partition.endsWith('/parts'))) {
        killed = true
        throw new Error('killed')
      }
      return world.ledger.transact(changes)
    },
  }
  const { clock, objects, queues, hosts, name } = world
  const own = openTrajectories({
    world: { clock, objects, queues, hosts, name, ledger, close: () => world.close() },
  }).of('default')
  const { id } = await own.create(request, none, { more: true })
  const body = bodyOf(row(1), row(2))
  await expect(own.append(id, body, { first: 1, more: true })).rejects.toThrow('killed')
  expect(await own.get(id)).toMatchObject({ next: 1, parts: 0, trajectories: 0 })
  await own.append(id, bodyOf(row(7)), { first: 1, more: false })
  expect((await allOf(own.facts(id))).map(({ task }) => task)).toEqual(['textcraft_7'])
})

test('pages go on after an id, across bodies', async () => {
  const { own } = await openOwn()
  const { id } = await own.create(request, bodyOf(row(1), bad, row(3)), { more: true })
  await own.append(id, bodyOf(row(4), bad, bad), { first: 4, more: false })
  const first = await own.page(id, { limit: 2 })
  expect(first).toMatchObject({ has_more: true, last_id: 'row-0000003' })
  expect(await own.page(id, { limit: 2, after: 'row-0000003' })).toMatchObject({
    data: [{ id: 'row-0000004', task: 'textcraft_4' }],
    has_more: false,
  })
  const rejected = await own.rejections(id, { limit: 10, after: 'row-0000002' })
  expect(rejected.data.map(({ row: number, line }) => [number, line])).toEqual([
    [5, 2],
    [6, 3],
  ])
  await expect(own.page(id, { limit: 2, after: 'x' })).rejects.toMatchObject({ param: 'after' })
})

test('of the rejections a thousand are kept, and all are counted', async () => {
  const { own } = await openOwn()
  const many = Array.from({ length: 700 }, () => bad)
  const { id } = await own.create(request, bodyOf(row(1), ...many), { more: true })
  expect(await own.append(id, bodyOf(...many), { first: 702, more: false })).toMatchObject({ rejected: 1400 })
  const pages = [
    await own.rejections(id, { limit: 1000 }),
    await own.rejections(id, { limit: 1000, after: 'row-0001001' }),
  ]
  expect(pages.map(({ data }) => data.length)).toEqual([1000, 0])
})

test('a tenant cannot see what another imported', async () => {
  const { own, tenants } = await openOwn()
  const { id } = await own.create(request, bodyOf(row(1)), { more: true })
  const other = tenants.of('other')
  const gone = { code: 'not_found' }
  await expect(other.get(id)).rejects.toMatchObject(gone)
  await expect(other.append(id, bodyOf(row(2)), { first: 2, more: true })).rejects.toMatchObject(gone)
  await expect(other.trees(id, 1)).rejects.toMatchObject(gone)
  await expect(other.page(id, { limit: 1 })).rejects.toMatchObject(gone)
  await expect(other.rejections(id, { limit: 1 })).rejects.toMatchObject(gone)
  await expect(allOf(other.facts(id))).rejects.toMatchObject(gone)
  expect((await other.list({ limit: 10 })).data).toEqual([])
})

test('rows that were read before pass as they are, but for numbers that are not the body’s', async () => {
  const { own } = await openOwn()
  const { id } = await own.create(request, bodyOf(row(1), row(2)), { more: false })
  const tree = (await own.trees(id, 1)).get('row-0000001')
  const line = {
    schema_version: 'espalier-trajectory-v1',
    file: 'f',
    line: 9,
    row: 2,
    model: 'm',
    reward: 1,
    tree,
  }
  const rejected = { schema_version: 'espalier-rejections-v1', rejected: 1, rejections: [] }
  const made = await own.create(request, bodyOf(line, rejected), { more: false })
  expect(made).toMatchObject({ trajectories: 1, rejected: 1, next: 3 })
  expect(await allOf(own.facts(made.id))).toMatchObject([
    { episode: 'row-0000002', line: 9, model: 'imported/m' },
  ])
  await expect(
    own.create(request, bodyOf({ ...line, row: 3 }, rejected), { more: false }),
  ).rejects.toMatchObject({
    code: 'invalid_request',
  })
  const torn = { ...line, row: 1, tree: { ...tree, best: 7 } }
  await expect(own.create(request, bodyOf(torn), { more: false })).rejects.toMatchObject({
    message: expect.stringContaining('best must be a node'),
  })
})

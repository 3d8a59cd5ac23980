import { hash } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { lineageRowSchema } from '../../shared/contracts/dataset.ts'
import { treeSchema } from '../../shared/contracts/tree.ts'
import { openDatasets } from '../../shared/datasets/open-datasets.ts'
import type { World } from '../../shared/world/ports.ts'
import { openTestWorld } from './open-test-world.ts'
import {
  head,
  many,
  type PlayedEpisode,
  readLines,
  request,
  StoredRuns,
  solved,
  unsolved,
} from './stored-runs.ts'

let world: World
let close: () => Promise<void>

beforeEach(async () => {
  ;({ world, close } = await openTestWorld())
})
afterEach(() => close())

function open(runs: Record<string, PlayedEpisode[]>) {
  const stored = new StoredRuns(world.objects, runs)
  const tenants = openDatasets({ world, runs: { of: () => stored } })
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
    await datasets.build(queued.id)
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
    const tenants = openDatasets({ world, runs: { of: (tenant) => (tenant === 'acme' ? own : others) } })
    const { id } = await tenants.of('acme').create(request())
    await tenants.build(id)
    expect(await tenants.of('acme').get(id)).toMatchObject({ status: 'succeeded', rows: 2 })
    expect(others.treesRead).toBe(0)
    const elsewhere = tenants.of('rival').get(id)
    await expect(elsewhere).rejects.toThrow(`There is no dataset "${id}".`)
  })

  test('lists every file with its true size and digest, the manifest included', async () => {
    const { datasets } = open({ 'run-1': [solved('a')] })
    const { id } = await datasets.create(request())
    await expect(datasets.files(id)).rejects.toMatchObject({ code: 'invalid_state', param: 'dataset' })
    await datasets.build(id)
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
    await datasets.build(id)
    const { files, rows } = await datasets.get(id)
    let seen = 0
    for (const file of files.filter(({ name }) => name.startsWith('data-'))) {
      const data = await readLines(world.objects, `datasets/${id}/${file.name}`)
      const lineage = await readLines(world.objects, `datasets/${id}/${file.name.replace('data', 'lineage')}`)
      expect(lineage).toHaveLength(data.length)
      for (const [index, line] of lineage.entries()) {
        const origin = lineageRowSchema.parse(line)
        expect(origin).toMatchObject({ row: index, model: 'simulated/gardener', method: 'mcts', reward: 1 })
        const tree = treeSchema.parse(
          await readJson(`runs/${origin.run}/episodes/${origin.episode}/tree.json`),
        )
        expect(tree.task).toBe(origin.task)
        const { messages } = data[index] as { messages: unknown[] }
        const last = tree.nodes[origin.node_ids.at(-1) ?? -1]
        expect(messages.at(-1)).toEqual({ role: 'assistant', content: last?.message })
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
    await datasets.build(id)
    const { files } = await datasets.get(id)
    expect(files[0]).toMatchObject({ name: 'data-00001.jsonl.gz', rows: 1 })
  })

  test('takes by reward instead of success when a minimum is given', async () => {
    const { datasets } = open({ 'run-1': [unsolved('failed', 0.5), unsolved('failed', 0.2), solved('a')] })
    const { id } = await datasets.create(request({ min_reward: 0.5 }))
    await datasets.build(id)
    expect(await datasets.get(id)).toMatchObject({ rows: 2, left_out: { below_min_reward: 1 } })
  })

  test('without a single row succeeds and says why', async () => {
    const { datasets } = open({ 'run-1': [unsolved('failed', 0), unsolved('errored')] })
    const { id } = await datasets.create(request())
    await datasets.build(id)
    const built = await datasets.get(id)
    expect(built).toMatchObject({ status: 'succeeded', rows: 0, left_out: { failed: 1, errored: 1 } })
    expect(built.files.map(({ name }) => name)).toEqual(['README.md'])
    const card = String((await bodiesOf(id)).get('README.md'))
    expect(card).toContain('There are no rows')
    expect(card).toContain('| `failed` | 1 | the task was not solved |')
    expect(card).not.toContain('data_files')
  })

  test('has a card that the Hugging Face hub can read', async () => {
    const { datasets } = open({ 'run-1': [solved('a')] })
    const { id } = await datasets.create(request({ name: 'sticks: "all"' }))
    await datasets.build(id)
    const card = String((await bodiesOf(id)).get('README.md'))
    expect(card.split('---\n')[1]).toBe(
      [
        'pretty_name: "sticks: \\"all\\""',
        'configs:',
        '- config_name: default',
        '  data_files:',
        '  - split: train',
        '    path: data-*.jsonl.gz',
        'task_categories:',
        '- text-generation',
        'tags:',
        '- "espalier"',
        '- "agents"',
        '- "sft"',
        '- "textcraft"',
        'size_categories:',
        '- n<1K',
        '',
      ].join('\n'),
    )
    expect(card).toContain('| run-1 | textcraft | builtin | mcts | simulated/gardener |')
  })
})

describe('the same request over the same runs', () => {
  test('gives the same bytes, but for the manifest’s id and time', async () => {
    const { datasets } = open({ 'run-1': many(30), 'run-2': many(5) })
    const wanted = request({ runs: ['run-1', 'run-2'], rows_per_file: 7 })
    const [first, second] = [await datasets.create(wanted), await datasets.create(wanted)]
    await datasets.build(first.id)
    await datasets.build(second.id)
    const [left, right] = [await bodiesOf(first.id), await bodiesOf(second.id)]
    expect([...left.keys()]).toEqual([...right.keys()])
    expect(left.size).toBe(10)
    left.delete('manifest.json')
    for (const [name, body] of left) expect(right.get(name)?.equals(body)).toBe(true)
    const { id: _, created_at: __, ...facts } = await datasets.get(first.id)
    expect(await datasets.get(second.id)).toMatchObject(facts)
  })

  test('gives the same bytes when the build is stopped half way and taken up again', async () => {
    const { datasets, stored } = open({ 'run-1': many(60), 'run-2': many(30) })
    const wanted = request({ runs: ['run-1', 'run-2'], rows_per_file: 4 })
    const whole = await datasets.create(wanted)
    await datasets.build(whole.id)
    const readByWhole = stored.treesRead

    const stopped = await datasets.create(wanted)
    for (const trees of [20, 8]) {
      const stop = new AbortController()
      const readBefore = stored.treesRead
      const tree = stored.tree.bind(stored)
      stored.tree = async (run, episode) => {
        if (stored.treesRead - readBefore >= trees) stop.abort(new Error('killed'))
        return tree(run, episode)
      }
      await expect(datasets.build(stopped.id, { signal: stop.signal })).rejects.toThrow('killed')
      stored.tree = tree
      expect(await datasets.get(stopped.id)).toMatchObject({ status: 'running', files: [] })
    }
    const kept = (await datasets.get(stopped.id)).rows
    expect(kept).toBeGreaterThan(0)
    const readBeforeLast = stored.treesRead
    await datasets.build(stopped.id)
    expect(stored.treesRead - readBeforeLast).toBe(readByWhole - kept)

    const [left, right] = [await bodiesOf(whole.id), await bodiesOf(stopped.id)]
    left.delete('manifest.json')
    for (const [name, body] of left) expect(right.get(name)?.equals(body)).toBe(true)
    const { id: _, created_at: __, ...facts } = await datasets.get(whole.id)
    expect(await datasets.get(stopped.id)).toMatchObject(facts)
  })
})

test('killing a build after any trees, any number of times, changes no byte', async () => {
  const runs = { 'run-1': many(40), 'run-2': many(20) }
  const { datasets, stored } = open(runs)
  const wanted = request({ runs: ['run-1', 'run-2'], rows_per_file: 3 })
  const whole = await datasets.create(wanted)
  await datasets.build(whole.id)
  const expected = await bodiesOf(whole.id)
  expected.delete('manifest.json')
  const kills = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(kills, async (moments) => {
      const { id } = await datasets.create(wanted)
      const tree = stored.tree.bind(stored)
      for (const moment of moments) {
        const kill = new AbortController()
        const end = stored.treesRead + moment
        stored.tree = async (run, episode) => {
          if (stored.treesRead >= end) kill.abort(new Error('killed'))
          return tree(run, episode)
        }
        await datasets.build(id, { signal: kill.signal }).catch((error) => {
          expect(String(error)).toBe('Error: killed')
        })
      }
      stored.tree = tree
      await datasets.build(id)
      const bodies = await bodiesOf(id)
      for (const [name, body] of expected) expect(bodies.get(name)?.equals(body)).toBe(true)
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

  test('with the same key and request answers the first dataset, with another request refuses', async () => {
    const { datasets } = open({ 'run-1': [solved('a')] })
    const first = await datasets.create(request(), { idempotencyKey: 'key' })
    const again = await datasets.create(request(), { idempotencyKey: 'key' })
    expect(again.id).toBe(first.id)
    await expect(
      datasets.create(request({ name: 'other' }), { idempotencyKey: 'key' }),
    ).rejects.toMatchObject({ code: 'idempotency_key_reused' })
    expect((await datasets.list({ limit: 10 })).data).toHaveLength(1)
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

describe('a build', () => {
  test('of an unknown dataset is refused, of a finished one does nothing', async () => {
    const { datasets, stored } = open({ 'run-1': [solved('a')] })
    await expect(datasets.build('dataset-gone')).rejects.toMatchObject({ code: 'not_found' })
    const { id } = await datasets.create(request())
    await datasets.build(id)
    const read = stored.treesRead
    await datasets.build(id)
    expect(stored.treesRead).toBe(read)
  })

  test('fails with the message of what went wrong', async () => {
    const { datasets, stored } = open({ 'run-1': [solved('a')] })
    stored.tree = async () => {
      throw new Error('The disk is on fire.')
    }
    const { id } = await datasets.create(request())
    await datasets.build(id)
    expect(await datasets.get(id)).toMatchObject({ status: 'failed', error: 'The disk is on fire.' })
    await expect(datasets.files(id)).rejects.toThrow('The disk is on fire.')
  })

  test('shows a fault that may pass, stays open, and succeeds when it has passed', async () => {
    const { datasets, stored } = open({ 'run-1': [solved('a')] })
    const tree = stored.tree.bind(stored)
    stored.tree = async () => {
      throw new Error('The network is away.')
    }
    const { id } = await datasets.create(request())
    await expect(datasets.build(id, { lastTry: false })).rejects.toThrow('The network is away.')
    expect(await datasets.get(id)).toMatchObject({ status: 'running', error: 'The network is away.' })
    stored.tree = tree
    await datasets.build(id)
    expect(await datasets.get(id)).toMatchObject({ status: 'succeeded', error: null })
  })

  test('that another has taken over stops and changes nothing', async () => {
    const { datasets, stored } = open({ 'run-1': many(12) })
    const { id } = await datasets.create(request({ rows_per_file: 2 }))
    const tree = stored.tree.bind(stored)
    let rival: Promise<void> | undefined
    stored.tree = async (run, episode) => {
      stored.tree = tree
      rival = datasets.build(id)
      await rival
      return tree(run, episode)
    }
    await expect(datasets.build(id)).rejects.toMatchObject({ code: 'conflict' })
    expect(await datasets.get(id)).toMatchObject({ status: 'succeeded', rows: 8, error: null })
  })
})

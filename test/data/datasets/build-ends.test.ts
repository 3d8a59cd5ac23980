import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { World } from '../../../shared/core/world/ports.ts'
import { openOwnWorld } from '../../support/open-test-world.ts'
import { buildNow, openTestDatasets } from './open-test-datasets.ts'
import { many, type PlayedEpisode, request, StoredRuns, solved } from './stored-runs.ts'

let world: World
let close: () => Promise<void>

beforeEach(async () => {
  ;({ world, close } = await openOwnWorld())
})
afterEach(() => close())

function open(runs: Record<string, PlayedEpisode[]>) {
  const stored = new StoredRuns(world.objects, runs)
  const tenants = openTestDatasets(world, stored)
  return { datasets: { ...tenants, ...tenants.of('default') }, stored }
}

describe('a build', () => {
  test('of an unknown dataset is refused, of a finished one does nothing', async () => {
    const { datasets, stored } = open({ 'run-1': [solved('a')] })
    await expect(buildNow(datasets, 'dataset-gone')).rejects.toMatchObject({ code: 'not_found' })
    const { id } = await datasets.create(request())
    await buildNow(datasets, id)
    const read = stored.treesRead
    await buildNow(datasets, id)
    expect(stored.treesRead).toBe(read)
  })

  test('fails with the message of what went wrong', async () => {
    const { datasets, stored } = open({ 'run-1': [solved('a')] })
    stored.tree = async () => {
      throw new Error('The disk is on fire.')
    }
    const { id } = await datasets.create(request())
    await buildNow(datasets, id)
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
    await expect(buildNow(datasets, id, { lastTry: false })).rejects.toThrow('The network is away.')
    expect(await datasets.get(id)).toMatchObject({ status: 'running', error: 'The network is away.' })
    stored.tree = tree
    await buildNow(datasets, id)
    expect(await datasets.get(id)).toMatchObject({ status: 'succeeded', error: null })
  })

  test('that another has taken over stops and changes nothing', async () => {
    const { datasets } = open({ 'run-1': many(12) })
    const { id } = await datasets.create(request({ rows_per_file: 2 }))
    const put = world.objects.put.bind(world.objects)
    world.objects.put = async (key, ...rest) => {
      if (key.endsWith('data-00002.jsonl.gz')) {
        world.objects.put = put
        await buildNow(datasets, id)
      }
      return put(key, ...rest)
    }
    await expect(buildNow(datasets, id)).rejects.toMatchObject({ code: 'conflict' })
    expect(await datasets.get(id)).toMatchObject({ status: 'succeeded', rows: 8, error: null })
  })

  test('that is given up leaves nothing behind, once its message is taken', async () => {
    const { datasets } = open({ 'run-1': many(12) })
    const { id } = await datasets.create(request())
    const [first] = await datasets.advance({ dataset: id })
    if (first?.part === undefined) throw new Error('There is no part.')
    const { queues } = world
    for (const message of await queues.datasets.receive({ max: 10, wait: 2, visibility: 60 })) {
      await queues.datasets.delete(message.receipt)
    }
    expect((await world.objects.list(`datasets/${id}/`)).objects).not.toEqual([])
    await datasets.giveUp(id, 'It never ended.')
    await datasets.giveUp(id, 'It never ended.')
    const sent = await queues.datasets.receive({ max: 10, wait: 1, visibility: 60 })
    expect(sent.map(({ body }) => body)).toEqual([{ dataset: id }])
    await datasets.advance({ dataset: id })
    expect(await datasets.get(id)).toMatchObject({ status: 'failed', error: 'It never ended.' })
    expect((await world.objects.list(`datasets/${id}/`)).objects).toEqual([])
  })

  test('whose run is played on fails, and says so', async () => {
    const { datasets, stored } = open({ 'run-1': [solved('a'), solved('b')] })
    const { id } = await datasets.create(request())
    const [first] = await datasets.advance({ dataset: id })
    stored.replay('run-1', 1, { ...solved('b'), status: 'running' })
    await datasets.advance(first ?? { dataset: id })
    expect(await datasets.get(id)).toMatchObject({
      status: 'failed',
      error: 'The run run-1 was played on while the dataset was built. Build it again.',
    })
    expect((await world.objects.list(`datasets/${id}/`)).objects).toEqual([])
  })
})

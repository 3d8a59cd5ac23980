import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { World } from '../../../shared/core/world/ports.ts'
import type { Datasets } from '../../../shared/data/datasets/open-datasets.ts'
import { openOwnWorld } from '../../support/open-test-world.ts'
import { openTestDatasets } from './open-test-datasets.ts'
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
  return { datasets: { ...tenants, ...tenants.of('default') }, stored, tenants }
}

describe('the consumer', () => {
  async function ended(datasets: Pick<Datasets, 'get'>, id: string) {
    await expect.poll(async () => (await datasets.get(id)).status).toMatch(/^(succeeded|failed)$/)
    return datasets.get(id)
  }

  test('builds what create asked for and empties its queue', async () => {
    const { datasets } = open({ 'run-1': many(9) })
    const consumer = datasets.start({ onError: (error) => expect.unreachable(String(error)) })
    const { id } = await datasets.create(request())
    expect(await ended(datasets, id)).toMatchObject({ status: 'succeeded', rows: 6 })
    await consumer.stop()
    await consumer.stop()
    const left = await world.queues.datasets.receive({ max: 1, wait: 0.1, visibility: 1 })
    expect(left).toEqual([])
  })

  test('stopped in the middle gives the dataset to the next one', async () => {
    const { datasets, stored } = open({ 'run-1': many(120) })
    const consumer = datasets.start()
    const tree = stored.tree.bind(stored)
    const reached = Promise.withResolvers<void>()
    stored.tree = async (run, episode) => {
      if (stored.treesRead > 25) reached.resolve()
      await world.clock.sleep(5)
      return tree(run, episode)
    }
    const { id } = await datasets.create(request({ rows_per_file: 5 }))
    await reached.promise
    await consumer.stop()
    expect(await datasets.get(id)).toMatchObject({ status: 'running' })
    stored.tree = tree
    const next = datasets.start()
    expect(await ended(datasets, id)).toMatchObject({ status: 'succeeded', rows: 80 })
    await next.stop()
  })

  test('fails a dataset whose every try ended with its process', async () => {
    const { datasets } = open({ 'run-1': [solved('a')] })
    const { id } = await datasets.create(request())
    for (let receives = 0; receives < 5; receives += 1) {
      const [message] = await world.queues.datasets.receive({ max: 1, wait: 3, visibility: 60 })
      await world.queues.datasets.extend(message?.receipt ?? '', 0)
    }
    expect(await world.queues.datasets.receive({ max: 1, wait: 0, visibility: 60 })).toEqual([])
    const consumer = datasets.start()
    expect(await ended(datasets, id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('never came to its end'),
    })
    await consumer.stop()
  })

  test('tries a passing fault again and reports it', async () => {
    const { datasets, stored } = open({ 'run-1': [solved('a')] })
    const { id } = await datasets.create(request())
    const tree = stored.tree.bind(stored)
    stored.tree = async () => {
      stored.tree = tree
      throw new Error('The network was away.')
    }
    const errors: unknown[] = []
    const consumer = datasets.start({ onError: (error) => errors.push(error) })
    expect(await ended(datasets, id)).toMatchObject({ status: 'succeeded', error: null, rows: 1 })
    await consumer.stop()
    expect(errors.map(String)).toEqual(['Error: The network was away.'])
  })
})

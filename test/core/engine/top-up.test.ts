import { expect, test } from 'vitest'
import { placesAtOnce } from '../../../shared/core/engine/runs/top-up.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import { openTestEngine, toRequest } from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

const take = ({ queues }: World, max = 100) => queues.episodes.receive({ max, wait: 0, visibility: 600 })

test('the places of a run are filled several at a time, so that a worker gets whole batches', async () => {
  const world = await openTestWorld()
  const { runner, runs } = openTestEngine({ world })
  const { id } = await runs.create(toRequest({ epochs: 2, max_parallel: 20 }))
  const [first, second, third] = await take(world)
  if (!first || !second || !third) throw new Error('Nothing was queued.')

  await runner.play(first, false)
  await runner.play(second, false)
  expect(await take(world)).toEqual([])
  await runner.play(third, false)
  expect(await take(world)).toHaveLength(3)

  expect((await runs.get(id)).episodes).toMatchObject({ total: 40, active: 20 })
})

test('a run comes to its end whatever is left for its last places', async () => {
  const world = await openTestWorld()
  const { runner, runs } = openTestEngine({ world })
  const { id } = await runs.create(toRequest({ max_parallel: 17 }))
  for (let messages = await take(world, 1); messages.length > 0; messages = await take(world, 1)) {
    for (const message of messages) await runner.play(message, false)
  }
  expect(await runs.get(id)).toMatchObject({ status: 'succeeded', episodes: { total: 20, active: 0 } })
})

test('a small run has each place filled at once, a large one ten together', () => {
  expect([1, 8, 9, 64, 80, 1000].map(placesAtOnce)).toEqual([1, 1, 2, 8, 10, 10])
})

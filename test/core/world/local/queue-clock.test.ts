import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Queue } from '../../../../shared/core/world/ports.ts'
import { openTestWorld, testFolder } from './local-test-world.ts'

const start = Date.UTC(2026, 10, 22)
const hour = 3_600_000

// Only the date is the test's; the world, its database and its timers are real.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  set(start)
})
afterEach(() => {
  vi.useRealTimers()
})

const set = (now: number) => vi.setSystemTime(now)
const later = (seconds: number) => set(Date.now() + seconds * 1000)
const send = (queue: Queue, delay: number) => queue.send([{ body: 'one', group: 'run_1', delay }])
const take = (queue: Queue, visibility = 60) => queue.receive({ max: 10, wait: 0, visibility })

test('a delayed message waits for its delay again where the clock is set back, and not for the jump', async () => {
  const { queues } = await openTestWorld(await testFolder())
  await send(queues.episodes, 30)
  await take(queues.episodes)
  set(start - hour)
  expect(await take(queues.episodes)).toEqual([])
  later(29)
  expect(await take(queues.episodes)).toEqual([])
  later(1)
  expect(await take(queues.episodes)).toMatchObject([{ body: 'one' }])
})

test('a message in flight comes back after its visibility where the clock is set back, and its receipt holds until then', async () => {
  const { queues } = await openTestWorld(await testFolder())
  const { datasets } = queues
  await send(datasets, 0)
  const [first] = await take(datasets)
  set(start - hour)
  expect(await take(datasets)).toEqual([])
  await datasets.extend(first?.receipt ?? '', 60)
  later(59)
  expect(await take(datasets)).toEqual([])
  later(1)
  const [second] = await take(datasets)
  expect(second).toMatchObject({ body: 'one', receives: 2 })
  await datasets.delete(second?.receipt ?? '')
  later(60)
  expect(await take(datasets)).toEqual([])
})

test('who takes from one queue sees to those of the others, from which none is taken before a message is there', async () => {
  const world = await openTestWorld(await testFolder())
  await send(world.queues.alone, 30)
  await take(world.queues.episodes)
  set(start - hour)
  await take(world.queues.episodes)
  later(30)
  expect(world.hasReady('alone')).toBe(true)
})

test('messages that were delayed before the clock was set back and the service started anew wait no longer', async () => {
  const folder = await testFolder()
  const first = await openTestWorld(folder)
  await send(first.queues.episodes, 300)
  await first.close()
  set(start - hour)
  const { queues } = await openTestWorld(folder)
  later(300)
  expect(await take(queues.episodes)).toMatchObject([{ body: 'one' }])
})

test('a clock that is set ahead brings messages sooner, and loses none', async () => {
  const { queues } = await openTestWorld(await testFolder())
  await send(queues.episodes, 300)
  set(start + hour)
  const [early] = await take(queues.episodes)
  expect(early).toMatchObject({ body: 'one', receives: 1 })
  set(start)
  await take(queues.episodes)
  later(60)
  expect(await take(queues.episodes)).toMatchObject([{ body: 'one', receives: 2 }])
})

test('wherever the clock jumps, each message comes within its delay of the last jump', async () => {
  const jumps = fc.array(fc.integer({ min: -7200, max: 7200 }), { maxLength: 4 })
  const delays = fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(delays, jumps, async (each, by) => {
      set(start)
      const { queues, close } = await openTestWorld(await testFolder())
      const { episodes } = queues
      const bodies = each.map((_, index) => index)
      await episodes.send(each.map((delay, index) => ({ body: index, group: 'run_1', delay })))
      const seen: unknown[] = []
      const look = async () => {
        for (const { body, receipt } of await take(episodes)) {
          seen.push(body)
          await episodes.delete(receipt)
        }
      }
      await look()
      for (const seconds of by) {
        later(seconds)
        await look()
      }
      later(Math.max(...each) + 1)
      await look()
      expect(seen.toSorted()).toEqual(bodies)
      await close()
    }),
    { numRuns: 15 },
  )
})

test('a folder that is older than the column is read, and gets it', async () => {
  const folder = await testFolder()
  const first = await openTestWorld(folder)
  await send(first.queues.episodes, 0)
  await first.close()
  const sqlite = new DatabaseSync(join(folder, 'espalier.db'))
  sqlite.exec('alter table messages drop column hidden_at')
  sqlite.close()
  const { queues } = await openTestWorld(folder)
  expect(await take(queues.episodes)).toMatchObject([{ body: 'one' }])
})

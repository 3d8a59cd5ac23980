import { afterEach, expect, test, vi } from 'vitest'
import { LoadGauge } from '../../../functions/aws/worker/load-gauge.ts'
import { Reachability } from '../../../functions/aws/worker/reachability.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

afterEach(() => vi.useRealTimers())

test('a worker whose memory is short takes nothing more, and one that has none leaves', async () => {
  const full = Promise.withResolvers<number>()
  const { rss } = process.memoryUsage()
  const gauges = [
    new LoadGauge(rss * 10, () => full.reject(new Error('There is room.'))),
    new LoadGauge(rss / 10, ({ memory }) => full.resolve(memory)),
  ]
  expect(await full.promise).toBeGreaterThan(rss / 10)
  expect(gauges.map(({ isLight }) => isLight)).toEqual([expect.any(Boolean), false])
  for (const gauge of gauges) gauge.stop()
})

test('a worker whose event loop stands still takes nothing more until it runs again', async () => {
  const gauge = new LoadGauge(Number.MAX_SAFE_INTEGER, () => undefined)
  const stall = performance.now() + 1500
  // Before its next look, so that the look measures it.
  await new Promise((resolve) => setTimeout(resolve, 100))
  while (performance.now() < stall);
  await expect.poll(() => gauge.isLight).toBe(false)
  await expect.poll(() => gauge.isLight).toBe(true)
  gauge.stop()
})

test('a stage that was never reached is lost at once, one that was reached only after a while', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const world = await openTestWorld()
  let isDown = true
  const { ledger } = world
  const lost: string[] = []
  const watched = new Reachability(({ message }) => lost.push(message)).watch({
    ...world,
    ledger: {
      ...ledger,
      update: (change) => (isDown ? Promise.reject(new Error('The table is gone.')) : ledger.update(change)),
    },
  })
  const beat = () =>
    watched.ledger.update({ key: { partition: 'workers', sort: 'one' }, set: { at: 1 } }).catch(() => null)
  await beat()
  expect(lost).toEqual(['The table is gone.'])
  isDown = false
  await beat()
  isDown = true
  await beat()
  expect(lost).toHaveLength(1)
  vi.advanceTimersByTime(130_000)
  await beat()
  expect(lost).toHaveLength(2)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventQueue } from '../../bench/aws/event-queue.ts'
import { simulateLambda } from '../../bench/aws/simulate-lambda.ts'
import { placesOf, simulateWorkers } from '../../bench/aws/simulate-workers.ts'
import { drawTimelines } from '../../bench/aws/timelines.ts'

const waves = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 30 })
const runs = fc.record({
  episodes: fc.integer({ min: 1, max: 300 }),
  parallel: fc.integer({ min: 1, max: 100 }),
  timelines: fc
    .tuple(fc.array(waves, { minLength: 1, maxLength: 5 }), fc.constantFrom(2, 20, 60))
    .map(([counts, latency]) => drawTimelines(counts, latency, 2).slice(0, 50)),
})

test('events come in the order of their times, and of one time in the order of planning', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20 })), (times) => {
      const queue = new EventQueue<number>()
      for (const [index, at] of times.entries()) queue.plan(at, index)
      const order = times.map((at, index) => ({ at, event: index }))
      for (const expected of order.toSorted((one, other) => one.at - other.at))
        expect(queue.next()).toMatchObject(expected)
      expect(queue.next()).toBeNull()
    }),
  )
})

test('a run comes to its end with Lambda, in invocations that keep to their time', () => {
  fc.assert(
    fc.property(runs, fc.integer({ min: 1, max: 20 }), (run, concurrency) => {
      const { busy, hops, invocations, seconds } = simulateLambda(run, { batch: 10, concurrency, window: 0 })
      const least = run.episodes / 10
      expect(invocations).toBeGreaterThanOrEqual(least)
      expect(invocations).toBeLessThanOrEqual(run.episodes + hops)
      expect(busy).toBeLessThanOrEqual(invocations * 900)
      expect(busy).toBeLessThanOrEqual(concurrency * (seconds + 900))
    }),
    { numRuns: 40 },
  )
})

test('a run comes to its end with workers, which are paid for from their start to a quarter of an hour after it', () => {
  fc.assert(
    fc.property(runs, fc.integer({ min: 1, max: 4 }), (run, most) => {
      const { busy, played, seconds, tasks } = simulateWorkers(run, most)
      expect(tasks).toBeGreaterThanOrEqual(1)
      expect(busy).toBeLessThanOrEqual(most * (seconds + 900))
      expect(played).toBeLessThanOrEqual(run.parallel * seconds)
    }),
    { numRuns: 40 },
  )
})

test('a worker has fewer episodes in flight where its processor could not serve all of its places', () => {
  expect(placesOf({ seconds: 30, calls: 4 })).toBe(500)
  expect(placesOf({ seconds: 2, calls: 4 })).toBeLessThan(200)
})

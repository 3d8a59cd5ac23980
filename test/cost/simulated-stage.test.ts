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

test('a run ends in any weather, and has workers on demand only if Spot has none', () => {
  const stretches = fc.tuple(fc.integer({ min: 0, max: 4000 }), fc.integer({ min: 1, max: 20_000 }))
  fc.assert(
    fc.property(
      runs,
      fc.integer({ min: 1, max: 4 }),
      stretches,
      fc.boolean(),
      (run, most, [from, length], isSlow) => {
        const usual = simulateWorkers(run, most)
        const stretch = { from, to: from + length }
        const weather = isSlow ? { slowDown: { ...stretch, share: 0.5 } } : { shortage: stretch }
        const played = simulateWorkers(run, most, weather)
        expect(usual.onDemand).toBe(0)
        expect(played.seconds).toBeGreaterThan(0)
        expect(played.onDemand).toBeLessThanOrEqual(isSlow ? 0 : played.busy)
        expect(played.busy).toBeLessThanOrEqual(most * (played.seconds + 900))
      },
    ),
    { numRuns: 40 },
  )
})

test('in a shortage of Spot workers start on demand after ten minutes, and finish the run', () => {
  const run = {
    episodes: 40,
    parallel: 20,
    timelines: [{ waves: Array(100).fill(20), calls: Array(100).fill(1), segments: 100 }],
  }
  const { onDemand, hops, seconds } = simulateWorkers(run, 1, { shortage: { from: 600, to: 1e9 } })
  expect(hops).toBeGreaterThan(0)
  expect(onDemand).toBeGreaterThan(0)
  expect(seconds).toBeGreaterThan(simulateWorkers(run, 1).seconds + 600)
})

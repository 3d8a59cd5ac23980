import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventQueue } from '../../bench/aws/event-queue.ts'
import { simulateLambda } from '../../bench/aws/simulate-lambda.ts'
import { placesOf, simulateWorkers } from '../../bench/aws/simulate-workers.ts'
import { drawTimelines, segmentsOf } from '../../bench/aws/timelines.ts'
import { createRandom } from '../../shared/core/random/random.ts'

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
  const settings = fc.record({
    batch: fc.integer({ min: 1, max: 10 }),
    concurrency: fc.integer({ min: 1, max: 20 }),
    window: fc.constant(0),
  })
  fc.assert(
    fc.property(runs, settings, (run, given) => {
      const { batch, concurrency } = given
      const { busy, hops, invocations, seconds } = simulateLambda(run, given)
      const played = invocations.reduce((all, { episodes }) => all + episodes, 0)
      expect(played).toBe(run.episodes + hops)
      for (const { start, seconds, episodes } of invocations) {
        expect(episodes).toBeLessThanOrEqual(Math.min(batch, run.parallel))
        expect(seconds).toBeLessThanOrEqual(900)
        const atOnce = invocations.filter((one) => one.start <= start && start < one.start + one.seconds)
        expect(atOnce.length).toBeLessThanOrEqual(concurrency)
      }
      expect(busy).toBeLessThanOrEqual(concurrency * (seconds + 900))
    }),
    { numRuns: 40 },
  )
})

const oneWave = (seconds: number) => ({ waves: [seconds], calls: [1], segments: 1 })
const usual = { batch: 10, concurrency: 50, window: 0 }

test('batches are full if all episodes are queued at once', () => {
  const run = { episodes: 95, parallel: 1000, timelines: [oneWave(10)] }
  expect(simulateLambda(run, usual).invocations.map(({ episodes }) => episodes)).toEqual([
    ...Array(9).fill(10),
    5,
  ])
})

test('episodes that fill the places of a run together are played together', () => {
  const random = createRandom(1)
  const timelines = Array.from({ length: 200 }, () => oneWave(10 + 10 * random()))
  const { invocations } = simulateLambda({ episodes: 200, parallel: 80, timelines }, usual)
  expect(invocations.every(({ episodes }) => episodes === 10)).toBe(true)
})

test('answers share a segment with those that come while the first waits', () => {
  expect(segmentsOf([1, 1.5, 3], 2)).toBe(1)
  expect(segmentsOf([1, 1.5, 3.1], 2)).toBe(2)
  expect(segmentsOf([1, 4, 7], 2)).toBe(3)
  expect(segmentsOf([], 2)).toBe(0)
})

test('a lone answer is never late, and a wave takes at least its slowest', () => {
  const [lone, four] = [[Array(50).fill(1)], [Array(50).fill(4)]].map((counts) => drawTimelines(counts, 2, 2))
  expect(lone?.every(({ segments }) => segments === 50)).toBe(true)
  const mean = (timelines: typeof lone) =>
    (timelines ?? []).flatMap(({ waves }) => waves).reduce((all, wave) => all + wave, 0) / 50_000
  // Of an exponential distribution, the largest of four is 25/12 of the mean.
  expect(mean(lone)).toBeCloseTo(2, 1)
  expect(mean(four)).toBeCloseTo(0.8 + (1.2 * 25) / 12, 1)
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

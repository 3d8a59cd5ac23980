import fc from 'fast-check'
import { expect, test } from 'vitest'
import { episodeTime, segmentsOf } from '../../bench/cost/episode-time.ts'
import { schedule } from '../../bench/cost/schedule.ts'
import { createRandom } from '../../shared/core/random/random.ts'

const durations = fc.array(fc.double({ min: 1, max: 500, noNaN: true }), { minLength: 1, maxLength: 200 })
const settings = fc.record({
  parallel: fc.integer({ min: 1, max: 300 }),
  batch: fc.integer({ min: 1, max: 10 }),
  concurrency: fc.integer({ min: 1, max: 50 }),
})

test('every episode is played once, in batches and by workers no more than there may be', () => {
  fc.assert(
    fc.property(durations, settings, (seconds, given) => {
      const invocations = schedule(seconds, given)
      const played = invocations.reduce((all, { episodes }) => all + episodes, 0)
      expect(played).toBe(seconds.length)
      for (const { start, episodes } of invocations) {
        expect(episodes).toBeLessThanOrEqual(Math.min(given.batch, given.parallel))
        const atOnce = invocations.filter((one) => one.start <= start && start < one.start + one.seconds)
        expect(atOnce.length).toBeLessThanOrEqual(given.concurrency)
      }
    }),
  )
})

test('workers are paid for at least the longest episode, and at most for each on its own', () => {
  fc.assert(
    fc.property(durations, settings, (seconds, given) => {
      const paid = schedule(seconds, given).reduce((all, invocation) => all + invocation.seconds, 0)
      const alone = schedule(seconds, { ...given, batch: 1 }).reduce((all, one) => all + one.seconds, 0)
      expect(paid).toBeGreaterThanOrEqual(Math.max(...seconds))
      expect(paid).toBeLessThanOrEqual(alone + 1e-6)
    }),
  )
})

test('batches are full where all episodes are queued at once', () => {
  const invocations = schedule(Array(95).fill(10), { parallel: 1000, batch: 10, concurrency: 50 })
  expect(invocations.map(({ episodes }) => episodes)).toEqual([...Array(9).fill(10), 5])
})

test('what the places of a run are filled with together comes together', () => {
  const random = createRandom(1)
  const seconds = Array.from({ length: 200 }, () => 10 + 10 * random())
  const invocations = schedule(seconds, { parallel: 80, batch: 10, concurrency: 50 })
  expect(invocations.every(({ episodes }) => episodes === 10)).toBe(true)
})

test('a wave takes as long as its slowest answer, an episode as long as its waves', () => {
  const at = (random: number) => episodeTime([4, 4], () => random, { least: 1, mean: 2 }).seconds
  expect(at(0.9) - at(0)).toBeCloseTo(2 * -Math.log(0.1))
})

test('answers share a segment with those that come while the first waits', () => {
  expect(segmentsOf([1, 1.5, 3], 2)).toBe(1)
  expect(segmentsOf([1, 1.5, 3.1], 2)).toBe(2)
  expect(segmentsOf([1, 4, 7], 2)).toBe(3)
  expect(segmentsOf([], 2)).toBe(0)
})

test('a lone answer is never late', () => {
  expect(episodeTime(Array(50).fill(1), createRandom(1)).lateSegments).toBe(0)
})

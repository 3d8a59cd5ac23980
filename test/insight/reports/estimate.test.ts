import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Cluster,
  estimateDifference,
  estimateMean,
  estimateRate,
  estimateReward,
} from '../../../shared/insight/reports/estimate.ts'

const single = (values: number[]): Cluster[] => values.map((sum) => ({ count: 1, sum }))
const shares = (successes: number, count: number): Cluster[] =>
  single(Array.from({ length: count }, (_, index) => (index < successes ? 1 : 0)))

/** Student 1908, "The Probable Error of a Mean", table of the soporific drugs; R ships it as `sleep`. */
const drug = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
const otherDrug = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]

describe('a mean', () => {
  test('with one episode per task has the ordinary t interval, as R prints for the sleep data', () => {
    const { mean, stderr, ci } = estimateMean(single(drug))
    expect(mean).toBeCloseTo(0.75, 12)
    expect(stderr).toBeCloseTo(0.5657345, 6)
    expect(ci).toMatchObject({ level: 0.95, method: 'clustered-t' })
    expect(ci?.lower).toBeCloseTo(-0.5297804, 6)
    expect(ci?.upper).toBeCloseTo(2.0297804, 6)
  })

  test('clusters the standard error by task, as Inspect does in its own test (0.645)', () => {
    const sums = [0, 0, 0, 0]
    for (let score = 0; score < 20; score += 1) sums[score % 4] = (sums[score % 4] ?? 0) + score
    const { stderr, count, tasks } = estimateMean(sums.map((sum) => ({ count: 5, sum })))
    expect(stderr).toBeCloseTo(Math.sqrt((125 * 4) / 3) / 20, 12)
    expect(stderr?.toFixed(3)).toBe('0.645')
    expect({ count, tasks }).toEqual({ count: 20, tasks: 4 })
  })

  test('weighs tasks by their episodes', () => {
    // By hand: mean 15/6; residual sums −0.5, −4, 4.5; √(3/2 · 36.5)/6.
    const { mean, stderr } = estimateMean([
      { count: 1, sum: 2 },
      { count: 2, sum: 1 },
      { count: 3, sum: 12 },
    ])
    expect(mean).toBe(2.5)
    expect(stderr).toBeCloseTo(1.2332207, 6)
  })

  test('gains no certainty from playing the same tasks again with the same results', () => {
    const once = estimateMean(single([0.1, 0.5, 0.9]))
    const often = estimateMean([0.1, 0.5, 0.9].map((value) => ({ count: 50, sum: 50 * value })))
    expect(often.stderr).toBeCloseTo(once.stderr ?? Number.NaN, 12)
    expect(often.ci?.lower).toBeCloseTo(once.ci?.lower ?? Number.NaN, 12)
  })

  test('of nothing, of one task and of equal numbers claims no more than is known', () => {
    expect(estimateMean([])).toEqual({ mean: null, stderr: null, ci: null, count: 0, tasks: 0 })
    expect(estimateMean([{ count: 0, sum: 0 }])).toMatchObject({ mean: null, tasks: 0 })
    expect(estimateMean([{ count: 3, sum: 2 }])).toMatchObject({ mean: 2 / 3, stderr: null, ci: null })
    expect(estimateMean(single([0.1, 0.1, 0.1]))).toMatchObject({ stderr: 0, ci: null, tasks: 3 })
  })
})

describe('a success rate', () => {
  // Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3.
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('of %i in %i has the published Wilson interval', (successes, count, lower, upper) => {
    const { ci } = estimateRate(shares(successes, count))
    expect(ci?.method).toBe('wilson')
    expect(ci?.lower).toBeCloseTo(lower, 4)
    expect(ci?.upper).toBeCloseTo(upper, 4)
  })

  test('with several episodes per task is clustered and stays within 0 and 1', () => {
    const { mean, stderr, ci } = estimateRate([
      { count: 2, sum: 2 },
      { count: 2, sum: 1 },
      { count: 2, sum: 0 },
    ])
    expect(mean).toBe(0.5)
    expect(stderr).toBeCloseTo(Math.sqrt(3) / 6, 12)
    expect(ci).toEqual({ lower: 0, upper: 1, level: 0.95, method: 'clustered-t' })
  })

  test('without any spread between its tasks counts every task once instead of claiming certainty', () => {
    const { ci } = estimateRate(Array.from({ length: 20 }, () => ({ count: 4, sum: 0 })))
    expect(ci?.method).toBe('wilson')
    expect(ci?.upper).toBeCloseTo(0.1611, 4)
  })
})

test('a paired difference has the interval that R prints for the sleep data', () => {
  const { mean, ci } = estimateDifference(otherDrug.map((value, index) => value - (drug[index] ?? 0)))
  expect(mean).toBeCloseTo(1.58, 12)
  expect(ci?.method).toBe('paired-t')
  expect(ci?.lower).toBeCloseTo(0.7001142, 6)
  expect(ci?.upper).toBeCloseTo(2.4598858, 6)
})

const anyCluster = fc
  .array(fc.double({ min: -100, max: 100, noNaN: true }), { maxLength: 5 })
  .map((values) => ({ count: values.length, sum: values.reduce((left, right) => left + right, 0) }))
const anyRateCluster = fc.nat(4).chain((count) => fc.nat(count).map((sum) => ({ count, sum })))

test('every interval is finite and contains its mean', () => {
  fc.assert(
    fc.property(fc.array(anyCluster), fc.array(anyRateCluster), (values, rates) => {
      for (const { mean, stderr, ci } of [estimateMean(values), estimateRate(rates)]) {
        for (const number of [mean, stderr, ci?.lower ?? 0, ci?.upper ?? 0]) {
          expect(number === null || Number.isFinite(number)).toBe(true)
        }
        if (ci === null) continue
        expect(ci.lower).toBeLessThanOrEqual(mean ?? Number.NaN)
        expect(ci.upper).toBeGreaterThanOrEqual(mean ?? Number.NaN)
      }
    }),
  )
})

describe('a mean reward', () => {
  test('has an interval within 0 and 1 where rewards are', () => {
    const clusters = [1, 1, 1, 0.9].map((sum) => ({ count: 1, sum }))
    expect(estimateMean(clusters).ci?.upper).toBeGreaterThan(1)
    expect(estimateReward(clusters).ci?.upper).toBe(1)
  })

  test('of an environment with larger rewards is left as it is', () => {
    const clusters = [90, 95].map((sum) => ({ count: 1, sum }))
    expect(estimateReward(clusters)).toEqual(estimateMean(clusters))
  })

  test('so large that its sum is no double has the estimate of smaller rewards, on their scale', () => {
    const scale = 1e307
    fc.assert(
      fc.property(fc.array(fc.nat(10), { minLength: 2, maxLength: 6 }), (rewards) => {
        const small = estimateReward(single(rewards))
        const large = estimateReward(single(rewards.map((reward) => reward * scale)))
        expect((large.mean ?? 0) / scale).toBeCloseTo(small.mean ?? 0, 9)
        expect((large.stderr ?? 0) / scale).toBeCloseTo(small.stderr ?? 0, 9)
        expect(
          Object.values(large.ci ?? {}).every((value) => value !== Infinity && value !== -Infinity),
        ).toBe(true)
      }),
    )
    expect((estimateReward(single([1e308, 1e308, 0])).mean ?? 0) / 1e308).toBeCloseTo(2 / 3, 9)
  })
})

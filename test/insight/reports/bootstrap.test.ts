import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mostBootstrapTasks } from '../../../shared/insight/reports/bootstrap.ts'
import { checkInterval } from '../../../shared/insight/reports/check-interval.ts'
import {
  type Cluster,
  estimateDifference,
  estimateMean,
  estimateRate,
  estimateReward,
} from '../../../shared/insight/reports/estimate.ts'

const drug = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]

describe('a bootstrap interval', () => {
  // SciPy 1.16.3, bootstrap((drug,), np.mean, n_resamples=1000000, method='percentile', rng=default_rng(0)): with a hundred
  // times as many draws, so equal but for chance.
  test('of a mean is that of SciPy', () => {
    const { ci } = estimateMean(
      drug.map((sum) => ({ count: 1, sum })),
      'bootstrap',
    )
    expect(ci?.method).toBe('bootstrap-percentile')
    expect(Math.abs((ci?.lower ?? 0) - -0.26)).toBeLessThan(0.05)
    expect(Math.abs((ci?.upper ?? 0) - 1.84)).toBeLessThan(0.05)
  })

  // The same, bootstrap((counts, sums), ratio of sums, paired=True): tasks are drawn with all their episodes.
  test('over tasks of unequally many episodes is that of SciPy', () => {
    const counts = [1, 2, 3, 4, 1, 2, 6, 3]
    const sums = [1, 0, 2, 4, 0, 1, 5, 0]
    const { ci, mean } = estimateRate(
      counts.map((count, index) => ({ count, sum: sums[index] ?? 0 })),
      'bootstrap',
    )
    expect(mean).toBeCloseTo(0.5909090909090909, 12)
    expect(Math.abs((ci?.lower ?? 0) - 0.23529411764705882)).toBeLessThan(0.02)
    expect(Math.abs((ci?.upper ?? 0) - 0.8214285714285714)).toBeLessThan(0.02)
  })

  test('of two tasks holds both, for each is drawn alone in a quarter of the draws', () => {
    const clusters = [
      { count: 1, sum: 0.2 },
      { count: 1, sum: 0.6 },
    ]
    expect(estimateReward(clusters, 'bootstrap').ci).toMatchObject({ lower: 0.2, upper: 0.6 })
    expect(estimateDifference([0.2, 0.6], 'bootstrap').ci).toMatchObject({ lower: 0.2, upper: 0.6 })
  })

  test('where all succeed is no more certain than the score interval', () => {
    const all = Array.from({ length: 10 }, () => ({ count: 1, sum: 1 }))
    expect(estimateRate(all, 'bootstrap')).toEqual(estimateRate(all, 't'))
  })

  test('over more tasks than can be drawn is refused by name', () => {
    expect(() => checkInterval('bootstrap', mostBootstrapTasks)).not.toThrow()
    expect(() => checkInterval('t', 10 * mostBootstrapTasks)).not.toThrow()
    expect(() => checkInterval('bootstrap', mostBootstrapTasks + 1)).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: 'interval' }),
    )
  })
})

const shares = fc.array(
  fc
    .integer({ min: 1, max: 4 })
    .chain((count) => fc.record({ count: fc.constant(count), sum: fc.nat(count) })),
  { minLength: 2, maxLength: 12 },
)

test('whatever the tasks, the interval holds the mean, is the same each time and in every order', () => {
  const shuffled = shares.chain((clusters) =>
    fc.tuple(fc.constant(clusters), fc.shuffledSubarray<Cluster>(clusters, { minLength: clusters.length })),
  )
  fc.assert(
    fc.property(shuffled, ([clusters, other]) => {
      const found = estimateReward(clusters, 'bootstrap')
      expect(estimateReward(other, 'bootstrap')).toEqual(found)
      if (found.ci === null) return
      expect(found.ci.lower).toBeLessThanOrEqual(found.mean ?? Number.NaN)
      expect(found.ci.upper).toBeGreaterThanOrEqual(found.mean ?? Number.NaN)
    }),
    { numRuns: 60 },
  )
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { signTest } from '../../../shared/insight/reports/differ.ts'

// statsmodels 0.14.5, mcnemar([[10, b], [c, 20]], exact=True).pvalue; SciPy 1.16.3, binomtest(min(b, c), b + c, 0.5).pvalue
// gives the same.
test.each([
  [6, 16, 0.052478790283203125],
  [1, 9, 0.021484375],
  [5, 5, 1],
  [0, 6, 0.03125],
  [121, 59, 4.4344492637551645e-6],
  [0, 1, 1],
  [3, 1, 0.625],
  [400, 330, 0.010605994778707762],
])('of %i tasks won and %i lost is the exact test of McNemar', (won, lost, value) => {
  expect(signTest(won, lost)).toBeCloseTo(value, 12)
  expect((signTest(won, lost) ?? Number.NaN) / value).toBeCloseTo(1, 9)
})

test('where the runs differ on no task there is nothing to test', () => {
  expect(signTest(0, 0)).toBeNull()
})

test('does not depend on which run is the baseline, and is a probability however many tasks there are', () => {
  fc.assert(
    fc.property(fc.nat(5000), fc.nat(5000), (won, lost) => {
      const value = signTest(won, lost)
      expect(value).toBe(signTest(lost, won))
      if (value === null) return
      expect(value).toBeGreaterThanOrEqual(0)
      expect(value).toBeLessThanOrEqual(1)
    }),
  )
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { meanStatus } from '../../../shared/search/values/mean-value.ts'
import { type Status, type StatusScale, statusScales } from '../../../shared/search/values/status-scales.ts'

test('the verdicts of a debate in both orders, worked by hand', () => {
  // (1 + 1 + 0.7 + 0.5 − 0.2 − 1) / 6 = 2 / 6
  expect(meanStatus(['A', 'A', 'B', 'C', 'D', 'E'], 'debate')).toBeCloseTo(1 / 3, 12)
})

test('each scale gives its own value', () => {
  // rubric (0.9 + 0.2) / 2 = 0.55; debate (0.7 − 0.2) / 2 = 0.25; desktop (0.5 − 0.2) / 2 = 0.15
  expect(meanStatus(['B', 'D'], 'rubric')).toBeCloseTo(0.55, 12)
  expect(meanStatus(['B', 'D'], 'debate')).toBeCloseTo(0.25, 12)
  expect(meanStatus(['B', 'D'], 'desktop')).toBeCloseTo(0.15, 12)
})

test('without a grade there is an error, not a number', () => {
  expect(() => meanStatus([], 'debate')).toThrow(RangeError)
})

const statuses = fc.array(fc.constantFrom<Status[]>('A', 'B', 'C', 'D', 'E'), { minLength: 1, maxLength: 20 })
const scales = fc.constantFrom(...(Object.keys(statusScales) as StatusScale[]))

test('the value stays on the scale, whatever the order, and is 1 only if all agree on A', () => {
  fc.assert(
    fc.property(statuses, scales, (all, scale) => {
      const value = meanStatus(all, scale)
      expect(meanStatus(all.toReversed(), scale)).toBeCloseTo(value, 12)
      expect(value).toBeGreaterThanOrEqual(statusScales[scale].E)
      expect(value).toBeLessThanOrEqual(1)
      expect(value === 1).toBe(all.every((status) => status === 'A'))
    }),
  )
})

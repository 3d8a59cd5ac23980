import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backUpValue, edgeValue, unvisited } from '../../shared/search/back-up-value.ts'

const values = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 30 })

test('the running mean and the greatest value, worked by hand', () => {
  const edge = [0.5, 0.9, 0.1].reduce(backUpValue, unvisited)
  expect(edge.visits).toBe(3)
  // (0.5 + 0.9 + 0.1) / 3 = 0.5
  expect(edgeValue(edge, 'mean')).toBeCloseTo(0.5, 12)
  expect(edgeValue(edge, 'max')).toBe(0.9)
})

test('an edge that was never visited is worth 0', () => {
  expect(edgeValue(unvisited, 'mean')).toBe(0)
  expect(edgeValue(unvisited, 'max')).toBe(0)
})

test('the greatest of negative values is negative, not the 0 it started from', () => {
  const edge = [-0.6, -0.2].reduce(backUpValue, unvisited)
  expect(edgeValue(edge, 'max')).toBe(-0.2)
  expect(edgeValue(edge, 'mean')).toBeCloseTo(-0.4, 12)
})

test('one more value moves the mean as the running mean of the paper does', () => {
  fc.assert(
    fc.property(values, fc.double({ min: -1, max: 1, noNaN: true }), (before, value) => {
      const edge = before.reduce(backUpValue, unvisited)
      const n = edge.visits
      // Q ← (N·Q + v) / (N + 1)
      expect(edgeValue(backUpValue(edge, value), 'mean')).toBeCloseTo(
        (n * edgeValue(edge, 'mean') + value) / (n + 1),
        12,
      )
    }),
  )
})

test('the order of the values does not matter, and the mean is never above the greatest', () => {
  fc.assert(
    fc.property(values, (all) => {
      const edge = all.reduce(backUpValue, unvisited)
      const reversed = all.toReversed().reduce(backUpValue, unvisited)
      expect(edgeValue(reversed, 'mean')).toBeCloseTo(edgeValue(edge, 'mean'), 12)
      expect(edgeValue(reversed, 'max')).toBe(edgeValue(edge, 'max'))
      expect(edgeValue(edge, 'mean')).toBeLessThanOrEqual(edgeValue(edge, 'max') + 1e-12)
    }),
  )
})

import { expect, test } from 'vitest'
import { ucb1 } from '../../shared/search/ucb1.ts'

test('a child that was never visited comes before all others', () => {
  expect(ucb1({ visits: 0, value_sum: 0 }, { visits: 9 }, 0.25)).toBe(Number.POSITIVE_INFINITY)
})

test('the score is the mean and the exploration term, worked by hand', () => {
  // 1.5 / 3 + 0.25 · √(ln 10 / 3) = 0.5 + 0.25 · 0.876079 = 0.719020
  expect(ucb1({ visits: 3, value_sum: 1.5 }, { visits: 10 }, 0.25)).toBeCloseTo(0.71902, 5)
})

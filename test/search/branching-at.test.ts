import fc from 'fast-check'
import { expect, test } from 'vitest'
import { branchingAt } from '../../shared/search/branching-at.ts'

const at = (branching: number, coefficient = 1) =>
  [0, 1, 2, 3, 4].map((depth) => branchingAt(depth, { branching, schedule: 'decaying', coefficient }))

test('a constant branching is the same at every depth', () => {
  expect(branchingAt(7, { branching: 5, schedule: 'constant', coefficient: 1 })).toBe(5)
})

test('a decaying one halves each level down to 2, worked by hand', () => {
  // 10 · exp(−ln 2 · d): 10, 5, 2.5, 1.25, 0.625; truncated, at least 2
  expect(at(10)).toEqual([10, 5, 2, 2, 2])
  // Coefficient 2 halves every second level: 12, 12/√2 = 8.49, 6, 4.24, 3
  expect(at(12, 2)).toEqual([12, 8, 6, 4, 3])
})

test('whole numbers are not lost to rounding', () => {
  expect(at(64)).toEqual([64, 32, 16, 8, 4])
})

test('one child stays one child', () => {
  expect(at(1)).toEqual([1, 1, 1, 1, 1])
})

test('it never grows on the way down, and is never more than at the root', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 0, max: 50 }),
      fc.double({ min: 0.1, max: 10, noNaN: true }),
      (branching, depth, coefficient) => {
        const options = { branching, schedule: 'decaying', coefficient } as const
        expect(branchingAt(0, options)).toBe(branching)
        expect(branchingAt(depth + 1, options)).toBeLessThanOrEqual(branchingAt(depth, options))
        expect(branchingAt(depth, options)).toBeGreaterThanOrEqual(Math.min(2, branching))
      },
    ),
  )
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  combinations,
  factorial,
  NumberChoices,
  permutation,
} from '../../../shared/environments/generate/number-space.ts'

const all = (size: bigint) => Array.from({ length: Number(size) }, (_none, at) => BigInt(at))

describe('a permutation of numbers', () => {
  test('takes every number to another one below the size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2000 }), fc.string(), (size, key) => {
        const found = all(BigInt(size)).map(permutation(BigInt(size), key))
        expect(new Set(found).size).toBe(size)
        expect(found.every((number) => number >= 0n && number < BigInt(size))).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  test('of a size far beyond all lists repeats nothing either', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 2n ** 64n, max: 2n ** 200n }), fc.string(), (size, key) => {
        const found = all(500n).map(permutation(size, key))
        expect(new Set(found).size).toBe(500)
        expect(found.every((number) => number >= 0n && number < size)).toBe(true)
      }),
      { numRuns: 20 },
    )
  })

  test('is another one for another key', () => {
    expect(all(50n).map(permutation(1000n, 'one'))).not.toEqual(all(50n).map(permutation(1000n, 'other')))
  })
})

test('subsets and orders have a number each', () => {
  const items = ['a', 'b', 'c', 'd', 'e', 'f']
  for (const count of [0, 1, 3, 6]) {
    const size = combinations(items.length, count)
    const subsets = all(size).map((number) => new NumberChoices(number).subset(items, count).join(''))
    expect(new Set(subsets).size).toBe(Number(size))
    expect(subsets.every((subset) => subset.length === count && [...subset].sort().join('') === subset)).toBe(
      true,
    )
  }
  const orders = all(factorial(5)).map((number) =>
    new NumberChoices(number).order(items.slice(0, 5)).join(''),
  )
  expect(new Set(orders).size).toBe(120)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FirstOf } from '../../../shared/core/engine/first-of.ts'

const ascending = (left: number, right: number) => left - right

test('the first few of any values are those that sorting all of them gives', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), fc.integer({ min: 1, max: 10 }), (values, count) => {
      const first = new FirstOf<number>(count, ascending)
      for (const value of values) first.add(value)
      expect(first.values()).toEqual(values.toSorted(ascending).slice(0, count))
    }),
  )
})

test('values can be asked for before all were added', () => {
  const first = new FirstOf<number>(2, ascending)
  for (const value of [5, 4]) first.add(value)
  expect(first.values()).toEqual([4, 5])
  for (const value of [9, 1]) first.add(value)
  expect(first.values()).toEqual([1, 4])
})

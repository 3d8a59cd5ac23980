import fc from 'fast-check'
import { expect, test } from 'vitest'
import { markFront } from '../../../shared/core/contracts/mark-front.ts'

test('the front holds what nothing beats in both money and quality', () => {
  const points = [
    { cost: 1, quality: 0.5 },
    { cost: 2, quality: 0.4 },
    { cost: 3, quality: 0.9 },
    { cost: 3, quality: 0.8 },
    { cost: null, quality: 1 },
    { cost: 0, quality: null },
  ]
  expect(markFront(points)).toEqual([true, false, true, false, false, false])
})

test('equal points are on it together or not at all', () => {
  const one = { cost: 1, quality: 0.5 }
  expect(markFront([one, one])).toEqual([true, true])
})

test('every point is on the front or beaten by one that is', () => {
  const points = fc.array(fc.record({ cost: fc.nat(9), quality: fc.nat(9) }), { minLength: 1 })
  fc.assert(
    fc.property(points, (all) => {
      const marks = markFront(all)
      const front = all.filter((_, index) => marks[index])
      for (const point of all) {
        expect(front.some(({ cost, quality }) => cost <= point.cost && quality >= point.quality)).toBe(true)
      }
    }),
  )
})

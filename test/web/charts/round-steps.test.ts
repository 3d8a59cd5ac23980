import fc from 'fast-check'
import { expect, test } from 'vitest'
import { roundSteps, stepAbove, stepBelow } from '../../../web/charts/plot-scale.ts'

test('steps are 1, 2 and 5 times a power of ten, exactly', () => {
  expect(roundSteps([0.1, 20])).toEqual([0.1, 0.2, 0.5, 1, 2, 5, 10, 20])
  expect(roundSteps([3, 4])).toEqual([])
})

test('every number lies between the steps around it, and those are next to each other', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-9, max: 1e15, noNaN: true }), (number) => {
      const [low, high] = [stepBelow(number), stepAbove(number)]
      expect(low).toBeLessThanOrEqual(number)
      expect(high).toBeGreaterThanOrEqual(number)
      expect(roundSteps([low, high])).toEqual(low === high ? [low] : [low, high])
    }),
  )
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type CommittedStep,
  isSolved,
  mostSurprising,
  policySurprise,
  valueSurprise,
} from '../../../../shared/play/methods/rmcts/surprise.ts'

const step = (q: number, next_value: number, reflectable = true): CommittedStep => ({
  q,
  next_value,
  reflectable,
})
const path = [step(0.5, 0.75), step(0.25, 1), step(0.5, 0.5)]

describe('what surprised the policy', () => {
  test('is measured against the next state, the last against the final score, worked by hand', () => {
    // |0.75 − 0.5|, |1 − 0.25|, |1 − 0.5| with the score 1 for the last V_next of 0.5
    expect(policySurprise(path, 1)).toEqual([0.25, 0.75, 0.5])
    // |0 − 0.5|, and |−1 − 0.5| where failure is −1
    expect(policySurprise(path, 0)).toEqual([0.25, 0.75, 0.5])
    expect(policySurprise(path, -1)).toEqual([0.25, 0.75, 1.5])
  })

  test('leaves out what was not understood', () => {
    expect(policySurprise([step(0.5, 0.75), step(0, 1, false)], 1)).toEqual([0.25, null])
  })
})

describe('what surprised the value function', () => {
  test('is measured against the next Q, the last against the final score, worked by hand', () => {
    // |0.75 − 0.25|, |1 − 0.5|, |0.5 − 0|
    expect(valueSurprise(path, 0)).toEqual([0.5, 0.5, 0.5])
    // The last: |0.5 − (−1)|
    expect(valueSurprise(path, -1)).toEqual([0.5, 0.5, 1.5])
  })

  test('leaves out what was not understood, which its neighbours are still measured against', () => {
    // |0.75 − 0.25| and |0.5 − 1|
    expect(valueSurprise([step(0.5, 0.75), step(0.25, 1, false), step(0.5, 0.5)], 1)).toEqual([
      0.5,
      null,
      0.5,
    ])
  })
})

describe('the steps to reflect on', () => {
  test('are the greatest first, of equals the earliest, from the threshold on, no more than allowed', () => {
    const surprises = [0.5, 0.75, null, 0.5, 0.25, 0.125]
    expect(mostSurprising(surprises, { threshold: 0.25, most: 3 })).toEqual([
      { step: 1, surprise: 0.75 },
      { step: 0, surprise: 0.5 },
      { step: 3, surprise: 0.5 },
    ])
    expect(mostSurprising(surprises, { threshold: 0.25, most: 9 })).toHaveLength(4)
    expect(mostSurprising(surprises, { threshold: 0.8, most: 3 })).toEqual([])
    expect(mostSurprising([], { threshold: 0, most: 3 })).toEqual([])
  })

  test('do not change when a neighbour has been picked before', () => {
    // Q 0, 1, 1 and V_next 0.25, 0, 1: |0.25 − 0|, |0 − 1|, |1 − 1|. With step 1 and its state 0.25 taken away, step 0
    // would be measured against V_next = 0 and surprise by 0.
    const surprises = policySurprise([step(0, 0.25), step(1, 0), step(1, 1)], 1)
    expect(mostSurprising(surprises, { threshold: 0.1, most: 3 })).toEqual([
      { step: 1, surprise: 1 },
      { step: 0, surprise: 0.25 },
    ])
  })

  test('are each picked once, and nothing that is left out surprises more', () => {
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.double({ min: 0, max: 2, noNaN: true })), { maxLength: 20 }),
        fc.double({ min: 0, max: 2, noNaN: true }),
        fc.integer({ min: 0, max: 5 }),
        (surprises, threshold, most) => {
          const picked = mostSurprising(surprises, { threshold, most })
          const steps = new Set(picked.map(({ step }) => step))
          const eligible = surprises.filter((surprise) => surprise !== null && surprise >= threshold)
          expect(picked).toHaveLength(Math.min(most, eligible.length))
          expect(steps.size).toBe(picked.length)
          const least = picked.at(-1)?.surprise ?? Number.POSITIVE_INFINITY
          for (const { step, surprise } of picked) expect(surprises[step]).toBe(surprise)
          for (const [index, surprise] of surprises.entries()) {
            if (picked.length > 0 && !steps.has(index) && surprise !== null)
              expect(surprise).toBeLessThanOrEqual(least)
          }
        },
      ),
    )
  })
})

test('a path looks solved when its mean Q is above the threshold', () => {
  // (0.5 + 1) / 2 = 0.75 > 0.7; (0.5 + 0.75) / 2 = 0.625
  expect(isSolved([0.5, 1])).toBe(true)
  expect(isSolved([0.5, 0.75])).toBe(false)
  expect(isSolved([0.5, 1], 0.75)).toBe(false)
  expect(isSolved([])).toBe(false)
})

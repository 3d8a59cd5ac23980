import { expect, test } from 'vitest'
import { bestLibrary, libraryScore } from '../../../../shared/play/methods/learnact/learnact.ts'

const trials = [
  { success: 1, steps: 4, calls: 3, succeeded: 3 },
  { success: 0, steps: 10, calls: 5, succeeded: 1 },
  { success: 1, steps: 6, calls: 0, succeeded: 0 },
]

test('each score type, worked by hand', () => {
  // success 2/3; step accuracy (3 + 1 + 0) / (3 + 5 + 0) = 1/2; call ratio (3 + 1 + 0) / (4 + 10 + 6) = 1/5
  const parts = { success: expect.closeTo(2 / 3, 12), step_accuracy: 0.5, call_ratio: 0.2 }
  expect(libraryScore(trials, 'success_accuracy_calls')).toEqual({
    ...parts,
    score: expect.closeTo(2 / 3 + 0.7, 12),
  })
  expect(libraryScore(trials, 'success_calls')).toEqual({ ...parts, score: expect.closeTo(2 / 3 + 0.2, 12) })
  expect(libraryScore(trials, 'success_accuracy')).toEqual({
    ...parts,
    score: expect.closeTo(2 / 3 + 0.5, 12),
  })
})

test('actions that were never called have neither accuracy nor ratio', () => {
  expect(libraryScore([{ success: 1, steps: 0, calls: 0, succeeded: 0 }], 'success_accuracy_calls')).toEqual({
    score: 1,
    success: 1,
    step_accuracy: 0,
    call_ratio: 0,
  })
})

test('the types can choose differently: many poor calls, or few good ones', () => {
  const eager = [{ success: 0, steps: 10, calls: 10, succeeded: 4 }]
  const careful = [{ success: 0, steps: 10, calls: 1, succeeded: 1 }]
  const best = (type: 'success_calls' | 'success_accuracy') =>
    bestLibrary([eager, careful].map((trials) => libraryScore(trials, type)))
  // 0.4 over 0.1 by calls; 0.4 under 1 by accuracy
  expect(best('success_calls')).toBe(0)
  expect(best('success_accuracy')).toBe(1)
})

test('the first of equal sets is the best', () => {
  expect(bestLibrary([{ score: 0.5 }, { score: 1.2 }, { score: 1.2 }])).toBe(1)
})

test('a score of nothing is an error, not a number', () => {
  expect(() => libraryScore([], 'success_calls')).toThrow(RangeError)
  expect(() => bestLibrary([])).toThrow(RangeError)
})

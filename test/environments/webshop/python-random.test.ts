import { expect, test } from 'vitest'
import { pythonRandom } from '../../../shared/environments/webshop/python-random.ts'

const range = (length: number) => Array.from({ length }, (_, index) => index)

// Expected values are what Python 3 printed.
test("shuffles as Python's random does after the same seed", () => {
  const few = range(20)
  pythonRandom(233).shuffle(few)
  expect(few).toEqual([17, 18, 9, 2, 8, 19, 11, 10, 12, 0, 3, 4, 14, 13, 1, 6, 15, 7, 16, 5])

  const many = range(6910)
  pythonRandom(233).shuffle(many)
  expect(many.slice(0, 10)).toEqual([3963, 2638, 2193, 1856, 4358, 6149, 2504, 3220, 705, 1072])
  expect(many.slice(-3)).toEqual([5147, 6573, 5590])
})

test("samples as Python's random does, draw after draw", () => {
  const random = pythonRandom(233)
  const fours = range(6).map(() => random.sample([10, 20, 30, 40], 2).sort())
  expect(fours).toEqual([
    [20, 30],
    [20, 40],
    [10, 20],
    [10, 20],
    [20, 30],
    [10, 40],
  ])
  expect(range(4).map(() => random.sample([10, 20, 30], 2))).toEqual([
    [30, 10],
    [30, 10],
    [30, 20],
    [10, 20],
  ])
  expect(range(3).map(() => random.sample([980, 990], 2))).toEqual([
    [990, 980],
    [980, 990],
    [990, 980],
  ])
})

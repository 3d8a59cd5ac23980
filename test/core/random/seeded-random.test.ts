import { expect, test } from 'vitest'
import { seededRandom } from '../../../shared/core/random/seeded-random.ts'
import { sampled, shuffled } from '../../../shared/core/random/shuffled.ts'

const draw = (seed: string, count: number) => {
  const random = seededRandom(seed)
  return Array.from({ length: count }, random)
}

test('a seed gives the same numbers everywhere', () => {
  expect(draw('espalier', 3).map((number) => number.toFixed(6))).toEqual(['0.105929', '0.506398', '0.011227'])
  expect(draw('seed 1', 5)).not.toEqual(draw('seed 2', 5))
})

test('numbers are spread evenly over [0, 1)', () => {
  const numbers = draw('even', 10_000)
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...numbers)).toBeLessThan(1)
  const tenths = Array.from(
    { length: 10 },
    (_, tenth) => numbers.filter((n) => Math.floor(n * 10) === tenth).length,
  )
  for (const count of tenths) expect(Math.abs(count - 1000)).toBeLessThan(150)
})

test('seeds that differ in one character start apart', () => {
  const firsts = Array.from({ length: 1000 }, (_, index) => draw(`task ${index}`, 1)[0] ?? 0)
  const low = firsts.filter((number) => number < 0.5).length
  expect(Math.abs(low - 500)).toBeLessThan(80)
})

test('shuffling keeps every item once, and its argument as it is', () => {
  const items = Array.from({ length: 50 }, (_, index) => index)
  const result = shuffled(items, seededRandom('shuffle'))
  expect(result).not.toEqual(items)
  expect([...result].sort((one, other) => one - other)).toEqual(items)
  expect(items[0]).toBe(0)
})

test('a sample has no item twice and is never larger than what there is', () => {
  expect(new Set(sampled([1, 2, 3, 4], 3, seededRandom('sample'))).size).toBe(3)
  expect(sampled([1, 2], 10, seededRandom('sample'))).toHaveLength(2)
})

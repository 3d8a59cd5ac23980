import fc from 'fast-check'
import { expect, it } from 'vitest'
import { embedText } from '../../../shared/play/simulated/embeddings.ts'

const nearness = (left: string, right: string): number => {
  const other = embedText(right)
  return embedText(left).reduce((sum, value, place) => sum + value * (other[place] ?? 0), 0)
}

it('is of unit length and 256 dimensions, the same for the same words', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const vector = embedText(text)
      expect(vector).toHaveLength(256)
      expect(Math.hypot(...vector)).toBeCloseTo(1, 12)
      expect(embedText(`  ${text.toUpperCase().toLowerCase()}!`)).toEqual(embedText(text.toUpperCase()))
    }),
  )
})

it('puts texts near each other that share words, and others apart', () => {
  const task = 'Goal: craft a wooden pickaxe. Observation: Inventory: 3 oak logs'
  const alike = 'Goal: craft a wooden shovel. Observation: Inventory: 2 oak logs'
  const other = 'put some clean plate on the dining table near cabinet four'
  expect(nearness(task, task)).toBeCloseTo(1, 12)
  expect(nearness(task, alike)).toBeGreaterThan(0.6)
  expect(Math.abs(nearness(task, other))).toBeLessThan(0.25)
})

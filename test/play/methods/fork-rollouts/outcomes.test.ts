import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Outcomes } from '../../../../shared/play/methods/fork-rollouts/fork-rollouts.ts'
import type { SearchNode } from '../../../../shared/play/search/tree.ts'

const nodes = Array.from({ length: 8 }, (_, index) => ({ index }) as SearchNode)
const anyEnds = fc.array(
  fc.record({ path: fc.subarray(nodes), reward: fc.constantFrom<number[]>(0, 0.25, 0.5, 1) }),
  {
    maxLength: 20,
  },
)

test('the spread of a node is the standard deviation of the rewards of the ends below it', () => {
  fc.assert(
    fc.property(anyEnds, (ends) => {
      const outcomes = new Outcomes()
      for (const { path, reward } of ends) outcomes.add(path, reward)
      for (const node of nodes) {
        const below = ends.filter(({ path }) => path.includes(node)).map(({ reward }) => reward)
        const mean = below.reduce((sum, reward) => sum + reward, 0) / below.length
        const variance = below.reduce((sum, reward) => sum + (reward - mean) ** 2, 0) / below.length
        expect(outcomes.spread(node)).toBeCloseTo(below.length < 2 ? 0 : Math.sqrt(variance), 6)
      }
    }),
  )
})

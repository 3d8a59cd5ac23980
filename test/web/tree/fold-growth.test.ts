import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Tree } from '../../../shared/core/contracts/tree.ts'
import { foldGrowth } from '../../../web/tree/fold-growth.ts'
import { indexTree } from '../../../web/tree/index-tree.ts'
import { lastMoment } from '../../../web/tree/tree-moment.ts'
import { answers, deeds, grow } from './random-tree.ts'

test('after the last step the fold is what the stored tree says', () => {
  fc.assert(
    fc.property(answers, deeds, (answer, steps) => {
      const { trees, growth } = grow(answer, steps)
      const tree = lastOf(trees)
      expect(foldGrowth(indexTree(tree), growth, growth.steps.length)).toEqual(lastMoment(tree))
    }),
    { numRuns: 300 },
  )
})

test('after every step before, the fold over the final tree is what the search had then', () => {
  fc.assert(
    fc.property(answers, deeds, (answer, steps) => {
      const { trees, growth } = grow(answer, steps)
      const index = indexTree(lastOf(trees))
      trees.forEach((then, happened) => {
        const { count, visits, values, terminal, best } = foldGrowth(index, growth, happened)
        const expected = lastMoment(then)
        expect(count).toBe(expected.count)
        expect(best).toBe(expected.best)
        expect([...visits.slice(0, count)]).toEqual([...expected.visits])
        expect([...values.slice(0, count)]).toEqual([...expected.values])
        expect([...terminal.slice(0, count)]).toEqual([...expected.terminal])
      })
    }),
  )
})

test('what happened to nodes that the tree does not have yet is left out', () => {
  const { trees, growth } = grow('best', [
    [{ add: 0, reward: 0, isEnd: false }],
    [{ backUp: 1, value: 1 }],
    [{ add: 1, reward: 1, isEnd: true }],
    [{ backUp: 2, value: 1 }],
  ])
  const older = lastOf(trees.slice(0, 3))
  expect(foldGrowth(indexTree(older), growth, growth.steps.length)).toEqual(lastMoment(older))
})

function lastOf(trees: readonly Tree[]): Tree {
  const tree = trees.at(-1)
  if (tree === undefined) throw new Error('A search has a tree from its first moment on.')
  return tree
}

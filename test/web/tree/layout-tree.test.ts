import fc from 'fast-check'
import { expect, test } from 'vitest'
import { indexTree, nodeAt } from '../../../web/tree/index-tree.ts'
import { columnWidth, isPlaced, layOutTree, rowHeight } from '../../../web/tree/layout-tree.ts'
import { parentsOf, smallTree } from '../../builders/trees.ts'

test('levels are columns, no two nodes of a level overlap, and the bounds hold them all', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 80 }), (choices) => {
      const index = indexTree(smallTree(parentsOf(choices)))
      const { nodes, x, y, bounds } = layOutTree(index, new Set())
      const levels = new Map<number, number[]>()
      for (const node of nodes) {
        const { depth } = nodeAt(index, node)
        expect(x[node]).toBe(depth * columnWidth)
        levels.set(depth, [...(levels.get(depth) ?? []), y[node] as number])
        expect(y[node]).toBeGreaterThanOrEqual(bounds.top)
        expect(y[node]).toBeLessThanOrEqual(bounds.bottom)
      }
      for (const level of levels.values()) {
        const sorted = level.toSorted((left, right) => left - right)
        sorted.slice(1).forEach((each, at) => {
          expect(each - (sorted[at] as number)).toBeGreaterThanOrEqual(rowHeight - 1e-6)
        })
      }
    }),
  )
})

test('what is below a collapsed node has no place', () => {
  const layout = layOutTree(indexTree(smallTree([null, 0, 1, 0])), new Set([1]))
  expect([0, 1, 2, 3].map((node) => isPlaced(layout, node))).toEqual([true, true, false, true])
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { indexTree, pathTo } from '../../../web/tree/index-tree.ts'
import { lastMoment } from '../../../web/tree/tree-moment.ts'
import {
  collapseAllBut,
  collapsedAtFirst,
  mostOpened,
  revealed,
  toggled,
  visibleNodes,
} from '../../../web/tree/visible-nodes.ts'
import { parentsOf, smallTree } from '../../builders/trees.ts'

//    0
//   1 2
//  3 4
const index = indexTree(smallTree([null, 0, 0, 1, 1]))

test('nodes are listed from the root down, each before its children and these before its siblings', () => {
  expect(visibleNodes(index, new Set())).toEqual([0, 1, 3, 4, 2])
  expect(visibleNodes(index, new Set([1]))).toEqual([0, 1, 2])
})

test('what is hidden by collapsed nodes and what is shown are the whole tree', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 60 }), fc.array(fc.nat(60)), (choices, folded) => {
      const some = indexTree(smallTree(parentsOf(choices)))
      const collapsed = new Set(folded.map((each) => each % (choices.length + 1)))
      const shown = visibleNodes(some, collapsed)
      const hidden = shown.filter((node) => collapsed.has(node)).map((node) => some.below[node] ?? 0)
      expect(shown.length + hidden.reduce((sum, each) => sum + each, 0)).toBe(choices.length + 1)
    }),
  )
})

test('a node that is revealed is shown, and nothing is collapsed for it', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 40 }), fc.nat(), (choices, wanted) => {
      const some = indexTree(smallTree(parentsOf(choices)))
      const all = new Set(some.tree.nodes.keys())
      const node = wanted % some.tree.nodes.length
      const opened = revealed(some, all, node)
      expect(visibleNodes(some, opened)).toContain(node)
      expect([...opened].every((each) => all.has(each))).toBe(true)
    }),
  )
  const open = new Set([2])
  expect(revealed(index, open, 3)).toBe(open)
})

test('a small tree opens whole', () => {
  expect(collapsedAtFirst(index, lastMoment(index.tree))).toEqual(new Set())
})

test('a large tree opens with the way to its answer and what was visited most', () => {
  const chain = Array.from({ length: mostOpened }, (_, node) => (node === 0 ? null : node - 1))
  const answer = 40
  const aside = mostOpened + 1
  const large = indexTree({
    ...smallTree([...chain, 0, mostOpened, aside], {
      [mostOpened]: { visits: 1000 },
      [aside]: { visits: 900 },
    }),
    best: answer,
  })
  const shown = visibleNodes(large, collapsedAtFirst(large, lastMoment(large.tree)))
  expect(shown.length).toBeLessThan(100)
  expect(shown).toEqual(expect.arrayContaining([...pathTo(large, answer), mostOpened, aside, aside + 1]))
})

test('everything but one way is collapsed, and a node is opened again', () => {
  expect(visibleNodes(index, collapseAllBut(index, 2))).toEqual([0, 1, 2])
  expect(toggled(toggled(new Set([1]), 2), 1)).toEqual(new Set([2]))
})

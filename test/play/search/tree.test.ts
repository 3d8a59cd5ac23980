import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SearchTree } from '../../../shared/play/search/tree.ts'
import type { TreeEntry } from '../../../shared/play/search/tree-entry.ts'
import { nodeEntry, openEntry } from '../../builders/journals.ts'

const open = (answer: 'last' | 'best') => openEntry({ answer })
const node = (parent: number, reward = 0, terminal = false) =>
  nodeEntry({ parent, reward, terminal, done: terminal })

test('a value is backed up to the root, and exhausted nodes become terminal', () => {
  const entries: TreeEntry[] = [
    open('best'),
    node(0),
    node(0, 0.5, true),
    { backup: { node: 2, value: 0.5 } },
    node(1, 1, true),
    { backup: { node: 3, value: 1 } },
  ]
  const { nodes, best } = SearchTree.fold(entries)?.toTree() ?? { nodes: [], best: -1 }
  expect(nodes.map(({ visits }) => visits)).toEqual([2, 1, 1, 1])
  expect(nodes.map(({ value }) => value)).toEqual([0.75, 1, 0.5, 1])
  expect(nodes.map(({ terminal }) => terminal)).toEqual([true, true, true, true])
  expect(best).toBe(3)
})

test('the answer of a path is its end, that of a search its first best node, leaves before inner nodes', () => {
  const entries = [node(0, 0.5), node(1, 0, true), node(0, 0.5, true), node(0, 0.5, true)]
  expect(SearchTree.fold([open('last'), ...entries])?.best.index).toBe(4)
  expect(SearchTree.fold([open('best'), ...entries])?.best.index).toBe(3)
})

test('the mean of a node times its visits is the sum of what went through it', () => {
  const growth = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 4 })), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(growth, (steps) => {
      const tree = new SearchTree(open('best'))
      for (const [parent, quarters] of steps) {
        tree.apply(node(parent % tree.nodes.length))
        tree.apply({ backup: { node: tree.nodes.length - 1, value: quarters / 4 } })
      }
      expect(tree.root.visits).toBe(steps.length)
      expect(tree.root.value_sum).toBe(steps.reduce((sum, [, quarters]) => sum + quarters / 4, 0))
      for (const at of tree.nodes) {
        expect(at.visits).toBe(
          1 + tree.children(at).reduce((sum, child) => sum + child.visits, 0) - (at.parent === null ? 1 : 0),
        )
        expect(tree.path(at)).toHaveLength(at.depth + 1)
      }
    }),
  )
})

import fc from 'fast-check'
import type { Growth, GrowthEvent } from '../../../shared/core/contracts/growth.ts'
import type { Tree, TreeAnswer } from '../../../shared/core/contracts/tree.ts'
import { noUsage } from '../../../shared/core/contracts/usage.ts'
import { SearchTree } from '../../../shared/play/search/tree.ts'
import type { NodeEntry } from '../../../shared/play/search/tree-entry.ts'
import { nodeEntry, openEntry } from '../../builders/journals.ts'

/** One thing that a search can do; numbers choose among what its tree has then. */
type Deed =
  | { add: number; reward: number; isEnd: boolean }
  | { backUp: number; value: number }
  | { commit: number }

const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      add: fc.nat(),
      reward: fc.constantFrom(0, 0, 0.5, 1, -0.1),
      isEnd: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ backUp: fc.nat(), value: fc.double({ min: -1, max: 1, noNaN: true }) }),
  },
  { weight: 1, arbitrary: fc.record({ commit: fc.nat() }) },
)

/** What searches do, in steps as their journals commit them. */
export const deeds: fc.Arbitrary<Deed[][]> = fc.array(fc.array(deed, { minLength: 1, maxLength: 6 }), {
  maxLength: 30,
})

export const answers: fc.Arbitrary<TreeAnswer> = fc.constantFrom('last', 'best', 'committed', 'most-visited')

/** The search's own tree after each step, and the growth that records the same. */
export function grow(answer: TreeAnswer, steps: Deed[][]): { trees: Tree[]; growth: Growth } {
  const tree = new SearchTree(openEntry({ answer }))
  const trees = [tree.toTree()]
  const growth: Growth = { object: 'growth', run: 'r', episode: 'e', answer, steps: [] }
  for (const step of steps) {
    const events = step.flatMap((each) => apply(tree, answer, each))
    if (events.length === 0) continue
    growth.steps.push({ at: '2026-01-01T00:00:00.000Z', elapsed: 0, usage: noUsage, events })
    trees.push(tree.toTree())
  }
  return { trees, growth }
}

function apply(tree: SearchTree, answer: TreeAnswer, each: Deed): GrowthEvent[] {
  if ('add' in each) {
    // A search goes on only where something is left to explore.
    const open = tree.nodes.filter(({ terminal }) => !terminal)
    const parent = open[each.add % Math.max(1, open.length)]
    if (parent === undefined) return []
    tree.apply(added(parent.index, each.reward, each.isEnd))
    return [{ type: 'node', node: tree.nodes.length - 1 }]
  }
  if ('backUp' in each) {
    const node = each.backUp % tree.nodes.length
    tree.apply({ backup: { node, value: each.value } })
    return [{ type: 'value', node, value: each.value }]
  }
  if (answer === 'last' || answer === 'best') return []
  const node = each.commit % tree.nodes.length
  tree.apply({ commit: { node } })
  return [{ type: 'commit', node }]
}

function added(parent: number, reward: number, isEnd: boolean): NodeEntry {
  return nodeEntry({ parent, reward, terminal: isEnd, done: isEnd, disaster: reward < 0 })
}

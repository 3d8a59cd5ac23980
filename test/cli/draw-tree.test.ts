import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawTree, drawTreeWithin } from '../../cli/draw-tree.ts'
import { widthOf } from '../../cli/fit-text.ts'
import type { TreeNode } from '../../shared/core/contracts/tree.ts'
import { treeNode, treeOf } from '../builders/trees.ts'

function node(parent: number | null, action: string | null, rest: Partial<TreeNode> = {}): TreeNode {
  return treeNode(parent, action ?? '', { action, message: null, observation: [], visits: 1, ...rest })
}

const tree = (best: number, nodes: TreeNode[]) => treeOf(best, nodes, { task: 'craft-stick', messages: [] })

const small = tree(4, [
  node(null, null, { visits: 4, value: 0.5 }),
  node(0, 'get 1 oak log', { visits: 3, value: 0.67 }),
  node(0, 'inventory'),
  node(1, 'craft 4 oak planks using 1 oak log', { visits: 2, value: 1 }),
  node(3, 'craft 4 stick using 2 oak planks', { visits: 2, value: 1, reward: 1, done: true }),
  node(0, 'get 1 stick', { reward: -1, done: true, disaster: true }),
])

describe('drawTree', () => {
  it('draws children with box characters, only children straight down, and marks the best path', () => {
    expect(drawTree(small, { width: 60 })).toEqual([
      '                                        visits  value reward',
      '● #0 craft-stick                             4   0.50      ·',
      '├─ ● #1 get 1 oak log                        3   0.67      ·',
      '│  ↓ ● #3 craft 4 oak planks using 1 o…      2   1.00      ·',
      '│  ↓ ● #4 ✔ craft 4 stick using 2 oak …      2   1.00   1.00',
      '├─ ○ #2 inventory                            1   0.00      ·',
      '└─ ○ #5 ! get 1 stick                        1   0.00  -1.00',
    ])
  })

  it('folds wide nodes, keeping the best path and the most visited', () => {
    expect(drawTree(small, { width: 60, children: 1 }).slice(2)).toEqual([
      '├─ ● #1 get 1 oak log                        3   0.67      ·',
      '│  ↓ ● #3 craft 4 oak planks using 1 o…      2   1.00      ·',
      '│  ↓ ● #4 ✔ craft 4 stick using 2 oak …      2   1.00   1.00',
      '└─ … 2 more, best value 0.00',
    ])
  })

  it('goes as deep as asked, and along the best path to its end', () => {
    const lines = drawTree(small, { width: 60, depth: 0 })
    expect(lines.map((line) => /#\d/.exec(line)?.[0]).filter(Boolean)).toEqual(['#0', '#1', '#3', '#4'])
    expect(drawTree(small, { width: 60, node: 3 })[1]).toContain('● #3 craft 4 oak planks')
  })

  it('shows actions on one line, without anything that the terminal would obey', () => {
    const odd = tree(1, [node(null, null), node(0, 'get\n\u001b[2J 木の棒')])
    expect(drawTree(odd, { width: 60 })[2]).toMatch(/^↓ ● #1 get {1,2}\[2J 木の棒 /)
  })

  const trees = fc
    .array(fc.record({ parent: fc.nat(), action: fc.string({ unit: 'grapheme' }), visits: fc.nat() }), {
      maxLength: 80,
    })
    .chain((drafts) =>
      fc
        .nat({ max: drafts.length })
        .map((best) =>
          tree(best, [
            node(null, null),
            ...drafts.map(({ parent, action, visits }, index) =>
              node(parent % (index + 1), action, { visits }),
            ),
          ]),
        ),
    )
  const drawing = fc.record({
    width: fc.integer({ min: 40, max: 140 }),
    depth: fc.nat({ max: 6 }),
    children: fc.integer({ min: 1, max: 6 }),
  })

  it('is never wider than asked and shows every node of the best path', () => {
    fc.assert(
      fc.property(trees, drawing, (grown, options) => {
        const lines = drawTree(grown, options)
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(options.width)
        const shown = lines.filter((line) => line.includes('● #')).map((line) => /● #(\d+)/.exec(line)?.[1])
        const path: string[] = []
        for (let at: number | null = grown.best; at !== null; at = grown.nodes[at]?.parent ?? null) {
          path.unshift(String(at))
        }
        expect(shown).toEqual(path)
      }),
    )
  })

  it('accounts for every node: drawn or counted in a fold', () => {
    fc.assert(
      fc.property(trees, fc.integer({ min: 1, max: 6 }), (grown, children) => {
        const lines = drawTree(grown, { width: 120, children })
        const drawn = lines.filter((line) => /[●○] #\d+ /.test(line)).length
        const folded = lines.flatMap((line) => {
          const match = /… (\d+) more(?:, (\d+) nodes)?, best value/.exec(line)
          return match === null ? [] : [Number(match[2] ?? match[1])]
        })
        expect(drawn + folded.reduce((sum, count) => sum + count, 0)).toBe(grown.nodes.length)
      }),
    )
  })

  it('folds until a tree fits the lines it is given', () => {
    const wide = tree(1, [
      node(null, null),
      ...Array.from({ length: 12 }, (_, index) => node(0, `first ${index}`)),
      ...Array.from({ length: 60 }, (_, index) => node(1 + (index % 12), `second ${index}`)),
    ])
    expect(drawTree(wide, { width: 80, children: 100 })).toHaveLength(74)
    expect(drawTreeWithin(wide, { width: 80, lines: 20 }).length).toBeLessThanOrEqual(20)
  })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { creditColouring, shadeOf } from '../../../web/tree/colouring.ts'
import { indexTree } from '../../../web/tree/index-tree.ts'
import { layOutTree } from '../../../web/tree/layout-tree.ts'
import type { MapScene } from '../../../web/tree/map-scene.ts'
import { shades } from '../../../web/tree/palette.ts'
import { lastMoment } from '../../../web/tree/tree-moment.ts'
import { parentsOf, smallTree } from '../../builders/trees.ts'

const tree = smallTree(parentsOf([0, 0, 1]))
const index = indexTree(tree)
const moment = lastMoment(tree)
const scene: MapScene = {
  index,
  layout: layOutTree(index, new Set()),
  moment,
  range: { low: 0, high: 1 },
  mostVisits: 3,
  collapsed: new Set(),
  hits: new Set(),
  chosen: null,
  happening: [],
}

const figure = fc.option(fc.double({ min: -5, max: 5, noNaN: true }))
const anyNodes = fc.array(fc.record({ node: fc.nat(3), advantage: figure, entropy: figure }), {
  maxLength: 4,
})

test('a node without the figure is hollow, and the middle shade of advantages is 0', () => {
  fc.assert(
    fc.property(anyNodes, (nodes) => {
      const colouring = creditColouring('advantage', { nodes })
      const known = new Map(
        nodes.flatMap(({ node, advantage }) => (advantage === null ? [] : [[node, advantage]])),
      )
      expect(colouring === null).toBe(known.size === 0)
      if (colouring === null) return
      expect(colouring.range.low).toBe(-colouring.range.high)
      for (const node of tree.nodes.keys()) {
        const shade = shadeOf({ ...scene, colouring }, node)
        const advantage = known.get(node)
        if (advantage === undefined) expect(shade).toBeNull()
        else if (advantage > 0) expect(shade).toBeGreaterThanOrEqual(Math.floor((shades - 1) / 2))
        else expect(shade).toBeLessThanOrEqual(Math.ceil((shades - 1) / 2))
      }
    }),
  )
})

test('entropies begin at 0, and the highest has the last shade', () => {
  const nodes = [
    { node: 1, advantage: null, entropy: 0 },
    { node: 2, advantage: null, entropy: 2 },
  ]
  const colouring = creditColouring('entropy', { nodes })
  expect(colouring?.range).toEqual({ low: 0, high: 2 })
  const shaded = { ...scene, ...(colouring && { colouring }) }
  expect([0, 1, 2, 3].map((node) => shadeOf(shaded, node))).toEqual([null, 0, shades - 1, null])
  expect(creditColouring('advantage', { nodes })).toBeNull()
})

test('advantages that are all zero have the middle shade', () => {
  const colouring = creditColouring('advantage', { nodes: [{ node: 1, advantage: 0, entropy: null }] })
  expect(colouring?.range).toEqual({ low: -1, high: 1 })
  expect(shadeOf({ ...scene, ...(colouring && { colouring }) }, 1)).toBe(Math.round((shades - 1) / 2))
})

test('without a colouring, shades show the values of visited nodes', () => {
  const expected = tree.nodes.map((_, node) =>
    (moment.visits[node] ?? 0) > 0 ? Math.round((moment.values[node] ?? 0) * (shades - 1)) : null,
  )
  expect(tree.nodes.map((_, node) => shadeOf(scene, node))).toEqual(expected)
})

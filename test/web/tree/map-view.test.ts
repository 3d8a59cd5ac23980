import { expect, test } from 'vitest'
import { indexTree } from '../../../web/tree/index-tree.ts'
import { layOutTree } from '../../../web/tree/layout-tree.ts'
import { type MapScene, radiusOf } from '../../../web/tree/map-scene.ts'
import { nodeAtPoint } from '../../../web/tree/map-view.ts'
import { onScreen } from '../../../web/tree/on-screen.ts'
import { lastMoment } from '../../../web/tree/tree-moment.ts'
import { smallTree } from '../../builders/trees.ts'

const index = indexTree(smallTree([null, 0, 0, 1], { 0: { visits: 100 }, 1: { visits: 25 } }))
const scene: MapScene = {
  index,
  layout: layOutTree(index, new Set()),
  moment: lastMoment(index.tree),
  range: { low: 0, high: 1 },
  mostVisits: 100,
  collapsed: new Set(),
  hits: new Set(),
  chosen: null,
  happening: [],
}
const camera = { x: 40, y: 200, scale: 0.8, across: 1.1 }

test('each node is found where it is drawn', () => {
  for (const node of scene.layout.nodes) {
    expect(nodeAtPoint(scene, camera, onScreen(scene, node, camera), 4)).toBe(node)
  }
})

test('beside the nodes there is none, nor where a node is not there yet', () => {
  const { x, y } = onScreen(scene, 3, camera)
  expect(nodeAtPoint(scene, camera, { x: x + 60, y }, 4)).toBeNull()
  expect(nodeAtPoint({ ...scene, moment: { ...scene.moment, count: 3 } }, camera, { x, y }, 4)).toBeNull()
})

test('a quarter of the visits is a quarter of the area', () => {
  expect(radiusOf(scene, 0) ** 2 / radiusOf(scene, 1) ** 2).toBeCloseTo(4)
})

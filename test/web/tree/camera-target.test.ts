import { expect, test } from 'vitest'
import { indexTree } from '../../../web/tree/index-tree.ts'
import { layOutTree } from '../../../web/tree/layout-tree.ts'
import type { MapScene } from '../../../web/tree/map-scene.ts'
import { newlyShown, opensAt } from '../../../web/tree/tree-canvas.ts'
import { lastMoment } from '../../../web/tree/tree-moment.ts'
import { smallTree } from '../../builders/trees.ts'

const tree = smallTree([null, 0, 0, 1])
const index = indexTree(tree)
const whole = lastMoment(tree)

function sceneAt(count: number, part: Partial<MapScene> = {}): MapScene {
  return {
    index,
    layout: layOutTree(index, new Set()),
    moment: { ...whole, count },
    range: { low: 0, high: 1 },
    mostVisits: 1,
    collapsed: new Set(),
    hits: new Set(),
    chosen: null,
    happening: [],
    ...part,
  }
}

test('a map opens at the chosen node, or at the step that does not have it yet', () => {
  expect(opensAt(sceneAt(4))).toBeNull()
  expect(opensAt(sceneAt(4, { chosen: 3 }))).toBe(3)
  expect(opensAt(sceneAt(2, { chosen: 3, happening: [1] }))).toBe(1)
  expect(opensAt(sceneAt(1, { chosen: 3 }))).toBe(0)
})

test('what a step shows comes into sight, and a node that was just chosen', () => {
  const before = sceneAt(4)
  expect(newlyShown(before, before)).toEqual([])
  expect(newlyShown(before, { ...before, chosen: 3 })).toEqual([3])
  expect(newlyShown(before, sceneAt(3, { happening: [1, 2] }))).toEqual([2])
})

test('a node that is not there at the step that is shown does not draw the camera into the empty', () => {
  const chosen = sceneAt(4, { chosen: 3 })
  expect(newlyShown(chosen, sceneAt(2, { chosen: 3, happening: [1] }))).toEqual([1])
  expect(newlyShown(chosen, sceneAt(1, { chosen: 3 }))).toEqual([0])
  const absent = sceneAt(2, { chosen: 3, happening: [1] })
  expect(newlyShown(absent, { ...absent, hits: new Set([1]) })).toEqual([])
})

import { expect, test } from 'vitest'
import { outlineKey } from '../../../web/pages/episode/outline.tsx'
import { explorerKey, mapKey, moveFrom } from '../../../web/pages/episode/use-explorer-keys.ts'
import { indexTree } from '../../../web/tree/index-tree.ts'
import { layOutTree } from '../../../web/tree/layout-tree.ts'
import { lastMoment } from '../../../web/tree/tree-moment.ts'
import { visibleNodes } from '../../../web/tree/visible-nodes.ts'
import { smallTree } from '../../builders/trees.ts'

//     0
//   1   2
//  3 4  5
const index = indexTree(smallTree([null, 0, 0, 1, 1, 2], { 4: { visits: 9 } }))
const scene = { index, layout: layOutTree(index, new Set()), moment: lastMoment(index.tree) }

function earlier(count: number) {
  return { ...scene, moment: { ...scene.moment, count } }
}

test('on the map one goes to the parent, the most visited child and the nodes beside it on its level', () => {
  expect(moveFrom(scene, 3, 'parent')).toBe(1)
  expect(moveFrom(scene, 1, 'child')).toBe(4)
  expect(moveFrom(scene, 4, 'previous')).toBe(3)
  expect(moveFrom(scene, 1, 'next')).toBe(2)
  expect(moveFrom(scene, 4, 'next')).toBe(5)
})

test('where there is nothing to go to, one stays', () => {
  expect(moveFrom(scene, 0, 'parent')).toBe(0)
  expect(moveFrom(scene, 0, 'next')).toBe(0)
  expect(moveFrom(scene, 4, 'child')).toBe(4)
  expect(moveFrom(scene, 5, 'next')).toBe(5)
})

test('one does not go to nodes that are not there yet', () => {
  expect(moveFrom(earlier(4), 1, 'child')).toBe(3)
  expect(moveFrom(earlier(2), 1, 'next')).toBe(1)
})

test('keys mean nothing but what they say', () => {
  expect(explorerKey('f')).toEqual({ do: 'fit' })
  expect(explorerKey('ArrowLeft')).toBeNull()
  expect(explorerKey('constructor')).toBeNull()
  expect(mapKey('ArrowLeft')).toEqual({ move: 'parent' })
  expect(mapKey('toString')).toBeNull()
})

function press(key: string, node: number, collapsed: number[] = []) {
  const folded = new Set(collapsed)
  const rows = visibleNodes(index, folded)
  return outlineKey(key, { index, rows, collapsed: folded, at: rows.indexOf(node) })
}

test('in the outline up and down go through what is shown', () => {
  expect(press('ArrowDown', 1)).toEqual({ choose: 3 })
  expect(press('ArrowDown', 1, [1])).toEqual({ choose: 2 })
  expect(press('ArrowUp', 2)).toEqual({ choose: 4 })
  expect(press('ArrowUp', 0)).toEqual({ choose: 0 })
  expect(press('Home', 4)).toEqual({ choose: 0 })
  expect(press('End', 0)).toEqual({ choose: 5 })
})

test('right opens or goes to the first child, left collapses or goes to the parent', () => {
  expect(press('ArrowRight', 1, [1])).toEqual({ toggle: 1 })
  expect(press('ArrowRight', 1)).toEqual({ choose: 3 })
  expect(press('ArrowRight', 5)).toEqual({ choose: 5 })
  expect(press('ArrowLeft', 1)).toEqual({ toggle: 1 })
  expect(press('ArrowLeft', 3)).toEqual({ choose: 1 })
  expect(press('ArrowLeft', 1, [1])).toEqual({ choose: 0 })
})

test('Enter opens the panel, other keys are left to the page', () => {
  expect(press('Enter', 1)).toEqual({ open: true })
  expect(press('x', 1)).toBeNull()
})

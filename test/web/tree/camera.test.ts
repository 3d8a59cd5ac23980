import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  acrossAt,
  type Camera,
  centreOn,
  firstView,
  fitAll,
  holdStill,
  keepInSight,
  leastScale,
  mostScale,
  zoomTo,
} from '../../../web/tree/camera.ts'
import { indexTree } from '../../../web/tree/index-tree.ts'
import { layOutTree, type TreeLayout } from '../../../web/tree/layout-tree.ts'
import { parentsOf, smallTree } from '../../builders/trees.ts'

const size = { width: 800, height: 500 }
const parents = fc.array(fc.nat(), { maxLength: 120 })

function layoutOf(choices: number[]): TreeLayout {
  return layOutTree(indexTree(smallTree(parentsOf(choices))), new Set())
}

function seenAt({ x, y }: TreeLayout, node: number, camera: Camera): { x: number; y: number } {
  return { x: (x[node] ?? 0) * camera.across + camera.x, y: (y[node] ?? 0) * camera.scale + camera.y }
}

function isInside({ x, y }: { x: number; y: number }): boolean {
  return x >= 0 && x <= size.width && y >= 0 && y <= size.height
}

test('the whole tree fits, never larger than life, and is as wide as its frame or at its own scale', () => {
  fc.assert(
    fc.property(parents, (choices) => {
      const layout = layoutOf(choices)
      const camera = fitAll(layout, size)
      expect(layout.nodes.every((node) => isInside(seenAt(layout, node, camera)))).toBe(true)
      expect(camera.scale).toBeLessThanOrEqual(1)
      expect(camera.across).toBe(acrossAt(layout, size, camera.scale))
    }),
  )
})

test('a tree of three thousand children at one node fits as well', () => {
  const layout = layoutOf(Array.from({ length: 3000 }, () => 0))
  const camera = fitAll(layout, size)
  expect(layout.nodes.every((node) => isInside(seenAt(layout, node, camera)))).toBe(true)
})

test('a deep tree as a whole fills its frame both ways', () => {
  // A chain of forty, each with three children more.
  const deep = layoutOf(Array.from({ length: 160 }, (_, index) => 4 * Math.floor(index / 4)))
  const { bounds } = deep
  const camera = fitAll(deep, size)
  expect((bounds.right - bounds.left) * camera.across).toBeGreaterThan(size.width * 0.8)
  expect((bounds.bottom - bounds.top) * camera.scale).toBeGreaterThan(size.height * 0.8)
})

test('who comes nearer sees things larger in both directions, without a jump, and from life size on as they are', () => {
  fc.assert(
    fc.property(parents, fc.double({ min: leastScale, max: mostScale, noNaN: true }), (choices, scale) => {
      const layout = layoutOf(choices)
      const [before, after] = [acrossAt(layout, size, scale), acrossAt(layout, size, scale * 1.001)]
      expect(after).toBeGreaterThanOrEqual(before)
      expect(after / before).toBeLessThan(1.05)
      if (scale >= 1) expect(before).toBe(scale)
    }),
  )
})

test('zooming keeps what is at the point, and stays between its bounds', () => {
  fc.assert(
    fc.property(
      parents,
      fc.double({ min: 0.0001, max: 10, noNaN: true }),
      fc.nat(800),
      fc.nat(500),
      (choices, to, x, y) => {
        const layout = layoutOf(choices)
        const before = fitAll(layout, size)
        const after = zoomTo(layout, size, before, { to, around: { x, y } })
        expect((x - after.x) / after.across).toBeCloseTo((x - before.x) / before.across, 5)
        expect((y - after.y) / after.scale).toBeCloseTo((y - before.y) / before.scale, 5)
        expect(after.scale).toBeGreaterThanOrEqual(before.scale / 2)
        expect(after.scale).toBeLessThanOrEqual(mostScale)
      },
    ),
  )
})

test('who goes away sees the whole tree at half its size in both directions, and no less', () => {
  fc.assert(
    fc.property(parents, (choices) => {
      const layout = layoutOf(choices)
      const whole = fitAll(layout, size)
      const around = { x: size.width / 2, y: size.height / 2 }
      const away = zoomTo(layout, size, whole, { to: whole.scale / 50, around })
      expect(away.scale / whole.scale).toBeCloseTo(0.5, 5)
      expect(away.across / whole.across).toBeCloseTo(0.5, 5)
      // A tree that has since become smaller may be farther away than that: there it rests.
      const farther = { ...away, scale: away.scale / 4, across: away.across / 4 }
      expect(zoomTo(layout, size, farther, { to: farther.scale / 2, around }).scale).toBe(farther.scale)
    }),
  )
})

test('a node that is to be seen comes into sight, and the camera rests where it is seen already', () => {
  fc.assert(
    fc.property(parents, fc.nat(), (choices, wanted) => {
      const layout = layoutOf(choices)
      const node = wanted % layout.nodes.length
      const camera = keepInSight(layout, node, size, centreOn(layout, 0, size, 1))
      expect(isInside(seenAt(layout, node, camera))).toBe(true)
      expect(keepInSight(layout, node, size, camera)).toEqual(camera)
    }),
  )
})

test('a small tree is opened whole, a large one too unless a node is chosen, one between at its root', () => {
  const small = layoutOf([0, 1])
  expect(firstView(small, 2, size)).toEqual(fitAll(small, size))
  const large = layoutOf(Array.from({ length: 300 }, (_, at) => at % 7))
  expect(firstView(large, null, size)).toEqual(fitAll(large, size))
  const view = firstView(large, 250, size)
  expect(view.scale).toBeGreaterThan(0.5)
  expect(isInside(seenAt(large, 250, view))).toBe(true)
  const between = layoutOf(Array.from({ length: 40 }, () => 0))
  expect(firstView(between, null, size).scale).toBeGreaterThan(0.5)
  expect(isInside(seenAt(between, 0, firstView(between, null, size)))).toBe(true)
})

test('a layout that changes leaves the node that is held where it is seen', () => {
  const index = indexTree(smallTree(parentsOf(Array.from({ length: 200 }, (_, at) => at % 11))))
  const before = layOutTree(index, new Set([3]))
  const after = layOutTree(index, new Set())
  const camera = fitAll(before, size)
  const held = holdStill(before, after, { node: 3, size, camera })
  expect(seenAt(after, 3, held).x).toBeCloseTo(seenAt(before, 3, camera).x)
  expect(seenAt(after, 3, held).y).toBeCloseTo(seenAt(before, 3, camera).y)
})

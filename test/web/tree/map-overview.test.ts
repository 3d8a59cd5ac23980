import { expect, test } from 'vitest'
import { centreOn, fitAll } from '../../../web/tree/camera.ts'
import { indexTree } from '../../../web/tree/index-tree.ts'
import { layOutTree } from '../../../web/tree/layout-tree.ts'
import { overviewSize, pointOfMap, seenPart } from '../../../web/tree/map-overview.ts'
import { parentsOf, smallTree } from '../../builders/trees.ts'

const frame = { width: 800, height: 500 }
const layout = layOutTree(
  indexTree(smallTree(parentsOf(Array.from({ length: 500 }, (_, at) => at % 5)))),
  new Set(),
)

test('where all is seen no part is marked', () => {
  expect(seenPart(layout, fitAll(layout, frame), frame)).toBeNull()
})

test('the part that is seen lies in the overview, around what is in the middle of the map', () => {
  const part = seenPart(layout, centreOn(layout, 200, frame, 1), frame)
  if (part === null) throw new Error('At full size a tree of 500 nodes is not seen whole.')
  expect(part.left).toBeGreaterThanOrEqual(0)
  expect(part.top + part.height).toBeLessThanOrEqual(overviewSize.height)
  const middle = pointOfMap(layout, { x: part.left + part.width / 2, y: part.top + part.height / 2 })
  expect(middle.y).toBeCloseTo(layout.y[200] as number, 0)
})

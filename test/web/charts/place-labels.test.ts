import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placeLabels } from '../../../web/charts/place-labels.ts'

const bounds = { left: 50, right: 800, top: 0, bottom: 300 }
const letterWidth = 7.3

interface Placed {
  left: number
  right: number
  y: number
}

/** What each label covers; those without a place are left out. */
function covered(points: { x: number; y: number; text: string }[]): Placed[] {
  return placeLabels(points, bounds).flatMap((label, index) => {
    if (label === null) return []
    const width = (points[index]?.text.length ?? 0) * letterWidth
    const left = { start: label.x, middle: label.x - width / 2, end: label.x - width }[label.anchor]
    return [{ left, right: left + width, y: label.y }]
  })
}

test('a label stands beside its point, and on the other side where there is no room', () => {
  const [free, atEdge] = placeLabels(
    [
      { x: 200, y: 150, text: 'react' },
      { x: 795, y: 150, text: 'mcts' },
    ],
    bounds,
  )
  expect(free?.anchor).toBe('start')
  expect(atEdge?.anchor).toBe('end')
})

test('where points crowd, some labels have no place', () => {
  const crowd = Array.from({ length: 20 }, () => ({ x: 200, y: 150, text: 'a run with a name' }))
  const placed = placeLabels(crowd, bounds)
  expect(placed.filter((label) => label !== null).length).toBeGreaterThan(1)
  expect(placed).toContain(null)
})

test('no label covers another, or leaves the plot', () => {
  const point = fc.record({
    x: fc.integer({ min: 50, max: 800 }),
    y: fc.integer({ min: 0, max: 300 }),
    text: fc.string({ maxLength: 30 }),
  })
  fc.assert(
    fc.property(fc.array(point, { maxLength: 20 }), (points) => {
      const labels = covered(points)
      for (const [index, one] of labels.entries()) {
        expect(one.left).toBeGreaterThanOrEqual(bounds.left)
        expect(one.right).toBeLessThanOrEqual(bounds.right)
        for (const other of labels.slice(index + 1)) {
          const isApart =
            one.right <= other.left || other.right <= one.left || Math.abs(one.y - other.y) >= 15.9
          expect(isApart).toBe(true)
        }
      }
    }),
  )
})

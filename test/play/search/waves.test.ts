import fc from 'fast-check'
import { expect, test } from 'vitest'
import { puct, ucb1 } from '../../../shared/play/search/selection.ts'
import { Wave, withVirtualLoss } from '../../../shared/play/search/waves.ts'
import { edges } from './edges.ts'

test('pending visits count as visits of the worst value, worked by hand', () => {
  // (3 + 2 visits, 1.5 + 2 · 0): Q = 1.5 / 5; 0.3 + 0.4 · √(9 + 2) / (1 + 5) = 0.3 + 0.4 · 0.552771 = 0.521108
  const child = { visits: 3, value_sum: 1.5, prior: 0.4 }
  expect(puct(withVirtualLoss(child, 2), 9 + 2, 1)).toBeCloseTo(0.521108, 6)
  // With −1 as the worst: Q = (1.5 − 2) / 5 = −0.1; −0.1 + 0.221108
  expect(puct(withVirtualLoss(child, 2, -1), 9 + 2, 1)).toBeCloseTo(0.121108, 6)
  // UCB1: (1.5 + 0) / (3 + 1) + 0.25 · √(ln(10 + 1) / 4) = 0.375 + 0.25 · 0.774257 = 0.568564
  const parent = { visits: 10, value_sum: 4 }
  expect(ucb1(withVirtualLoss(child, 1), withVirtualLoss(parent, 1), 0.25)).toBeCloseTo(0.568564, 6)
})

test('no pending visit changes nothing', () => {
  fc.assert(
    fc.property(edges, fc.constantFrom(0, -1), (child, loss) => {
      expect(withVirtualLoss(child, 0, loss)).toEqual(child)
    }),
  )
})

test('a pending visit never makes an action more promising than it is beside it', () => {
  fc.assert(
    fc.property(
      edges,
      fc.integer({ min: 0, max: 1000 }),
      fc.integer({ min: 1, max: 16 }),
      (child, more, pending) => {
        const parentVisits = child.visits + more + pending
        expect(puct(withVirtualLoss(child, pending), parentVisits, 1)).toBeLessThanOrEqual(
          puct(child, parentVisits, 1),
        )
      },
    ),
  )
})

test('a place counts each path of the wave that goes through it, until the wave is over', () => {
  const a = { visits: 1, value_sum: 0.5 }
  const b = { visits: 2, value_sum: 0.5 }
  const c = { visits: 3, value_sum: 0.5 }
  const wave = new Wave<typeof a>(-1)
  wave.add([a, b])
  wave.add([a, c])
  expect(wave.ends).toEqual([b, c])
  expect([a, b, c].map((place) => wave.pendingAt(place))).toEqual([2, 1, 1])
  expect(wave.assumed(a)).toEqual({ visits: 3, value_sum: 0.5 - 2 })
  expect(a).toEqual({ visits: 1, value_sum: 0.5 })
  expect(new Wave(-1).assumed(a)).toBe(a)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { puct } from '../../shared/search/puct.ts'
import { ucb1 } from '../../shared/search/ucb1.ts'
import { withVirtualLoss } from '../../shared/search/with-virtual-loss.ts'

const share = fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000)
const edge = fc.integer({ min: 0, max: 1000 }).chain((visits) =>
  fc.record({
    visits: fc.constant(visits),
    value_sum: share.map((mean) => visits * mean),
    prior: share,
  }),
)

test('a visited action scores its mean and the exploration term, worked by hand', () => {
  // Q = 1.5 / 3; 0.5 + 1 · 0.4 · √9 / (1 + 3) = 0.5 + 0.4 · 0.75 = 0.8
  expect(puct({ visits: 3, value_sum: 1.5, prior: 0.4 }, 9, 1)).toBeCloseTo(0.8, 12)
  // With c = 2: 0.5 + 2 · 0.4 · 0.75 = 1.1
  expect(puct({ visits: 3, value_sum: 1.5, prior: 0.4 }, 9, 2)).toBeCloseTo(1.1, 12)
})

test('an action that was not tried counts as 0 and explores by its prior', () => {
  // 0 + 1 · 0.6 · √4 / (1 + 0) = 1.2
  expect(puct({ visits: 0, value_sum: 0, prior: 0.6 }, 4, 1)).toBeCloseTo(1.2, 12)
})

test('the first choice at a state follows the prior', () => {
  // N(s) = 0: 0 + 1 · 0.6, where √0 would make every action equal
  expect(puct({ visits: 0, value_sum: 0, prior: 0.6 }, 0, 1)).toBe(0.6)
  expect(puct({ visits: 0, value_sum: 0, prior: 0.6 }, 0, 0.5)).toBe(0.3)
})

test('another value than the mean can stand for Q', () => {
  // 0.9 + 1 · 0.4 · √9 / (1 + 3) = 1.2
  expect(puct({ visits: 3, value_sum: 1.5, prior: 0.4 }, 9, 1, 0.9)).toBeCloseTo(1.2, 12)
})

test('a higher prior never lowers the score, nor does a higher value', () => {
  fc.assert(
    fc.property(
      edge,
      fc.integer({ min: 0, max: 1000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (child, more, extra) => {
        const parentVisits = child.visits + more
        const score = puct(child, parentVisits, 1)
        expect(puct({ ...child, prior: child.prior + extra }, parentVisits, 1)).toBeGreaterThanOrEqual(score)
        expect(
          puct({ ...child, value_sum: child.value_sum + extra }, parentVisits, 1),
        ).toBeGreaterThanOrEqual(score)
      },
    ),
  )
})

test('visits under way count as visits of the worst value, worked by hand', () => {
  // (3 + 2 visits, 1.5 + 2 · 0): Q = 1.5 / 5; 0.3 + 0.4 · √(9 + 2) / (1 + 5) = 0.3 + 0.4 · 0.552771 = 0.521108
  const child = { visits: 3, value_sum: 1.5, prior: 0.4 }
  expect(puct(withVirtualLoss(child, 2), 9 + 2, 1)).toBeCloseTo(0.521108, 6)
  // With −1 as the worst: Q = (1.5 − 2) / 5 = −0.1; −0.1 + 0.221108
  expect(puct(withVirtualLoss(child, 2, -1), 9 + 2, 1)).toBeCloseTo(0.121108, 6)
  // UCB1: (1.5 + 0) / (3 + 1) + 0.25 · √(ln(10 + 1) / 4) = 0.375 + 0.25 · 0.774257 = 0.568564
  const parent = { visits: 10, value_sum: 4 }
  expect(ucb1(withVirtualLoss(child, 1), withVirtualLoss(parent, 1), 0.25)).toBeCloseTo(0.568564, 6)
})

test('nothing under way changes nothing', () => {
  fc.assert(
    fc.property(edge, fc.constantFrom(0, -1), (child, loss) => {
      expect(withVirtualLoss(child, 0, loss)).toEqual(child)
    }),
  )
})

test('a visit under way never makes an action more promising than it is beside it', () => {
  fc.assert(
    fc.property(
      edge,
      fc.integer({ min: 0, max: 1000 }),
      fc.integer({ min: 1, max: 16 }),
      (child, more, underWay) => {
        const parentVisits = child.visits + more + underWay
        expect(puct(withVirtualLoss(child, underWay), parentVisits, 1)).toBeLessThanOrEqual(
          puct(child, parentVisits, 1),
        )
      },
    ),
  )
})

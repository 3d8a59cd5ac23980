import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  backUpValue,
  type ExplorationSchedule,
  edgeValue,
  explorationAt,
  puct,
  selectHighest,
  ucb1,
  unvisited,
} from '../../../shared/play/search/selection.ts'
import { edges } from './edges.ts'

describe('the statistics of an edge', () => {
  const values = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 30 })

  test('the running mean and the greatest value, worked by hand', () => {
    const edge = [0.5, 0.9, 0.1].reduce(backUpValue, unvisited)
    expect(edge.visits).toBe(3)
    // (0.5 + 0.9 + 0.1) / 3 = 0.5
    expect(edgeValue(edge, 'mean')).toBeCloseTo(0.5, 12)
    expect(edgeValue(edge, 'max')).toBe(0.9)
  })

  test('an edge that was never visited is worth 0', () => {
    expect(edgeValue(unvisited, 'mean')).toBe(0)
    expect(edgeValue(unvisited, 'max')).toBe(0)
  })

  test('the greatest of negative values is negative, not the 0 it started from', () => {
    const edge = [-0.6, -0.2].reduce(backUpValue, unvisited)
    expect(edgeValue(edge, 'max')).toBe(-0.2)
    expect(edgeValue(edge, 'mean')).toBeCloseTo(-0.4, 12)
  })

  test('one more value moves the mean as the running mean of the paper does', () => {
    fc.assert(
      fc.property(values, fc.double({ min: -1, max: 1, noNaN: true }), (before, value) => {
        const edge = before.reduce(backUpValue, unvisited)
        const n = edge.visits
        // Q ← (N·Q + v) / (N + 1)
        expect(edgeValue(backUpValue(edge, value), 'mean')).toBeCloseTo(
          (n * edgeValue(edge, 'mean') + value) / (n + 1),
          12,
        )
      }),
    )
  })

  test('the order of the values does not matter, and the mean is never above the greatest', () => {
    fc.assert(
      fc.property(values, (all) => {
        const edge = all.reduce(backUpValue, unvisited)
        const reversed = all.toReversed().reduce(backUpValue, unvisited)
        expect(edgeValue(reversed, 'mean')).toBeCloseTo(edgeValue(edge, 'mean'), 12)
        expect(edgeValue(reversed, 'max')).toBe(edgeValue(edge, 'max'))
        expect(edgeValue(edge, 'mean')).toBeLessThanOrEqual(edgeValue(edge, 'max') + 1e-12)
      }),
    )
  })
})

describe('UCB1', () => {
  test('a child that was never visited comes before all others', () => {
    expect(ucb1({ visits: 0, value_sum: 0 }, { visits: 9 }, 0.25)).toBe(Number.POSITIVE_INFINITY)
  })

  test('the score is the mean and the exploration term, worked by hand', () => {
    // 1.5 / 3 + 0.25 · √(ln 10 / 3) = 0.5 + 0.25 · 0.876079 = 0.719020
    expect(ucb1({ visits: 3, value_sum: 1.5 }, { visits: 10 }, 0.25)).toBeCloseTo(0.71902, 5)
  })
})

describe('PUCT', () => {
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
        edges,
        fc.integer({ min: 0, max: 1000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (child, more, extra) => {
          const parentVisits = child.visits + more
          const score = puct(child, parentVisits, 1)
          expect(puct({ ...child, prior: child.prior + extra }, parentVisits, 1)).toBeGreaterThanOrEqual(
            score,
          )
          expect(
            puct({ ...child, value_sum: child.value_sum + extra }, parentVisits, 1),
          ).toBeGreaterThanOrEqual(score)
        },
      ),
    )
  })
})

describe('the exploration constant', () => {
  const half = (schedule: ExplorationSchedule, end: number, exploration = 1) =>
    explorationAt(30, 60, { exploration, schedule, end })

  test('each schedule half-way to 0.1, worked by hand', () => {
    expect(half('constant', 0.1)).toBe(1)
    // 1 − (1 − 0.1) · 0.5 = 0.55
    expect(half('linear', 0.1)).toBeCloseTo(0.55, 12)
    // exp(ln(0.1) · 0.5) = √0.1 = 0.316228
    expect(half('exponential', 0.1)).toBeCloseTo(0.316228, 6)
    // cos(arccos(0.1) · 0.5) = √((1 + 0.1) / 2) = √0.55 = 0.741620
    expect(half('cosine', 0.1)).toBeCloseTo(0.74162, 6)
  })

  test('a schedule scales the constant that was asked for', () => {
    expect(half('constant', 0.1, 2)).toBe(2)
    expect(half('linear', 0.1, 2)).toBeCloseTo(1.1, 12)
  })

  const schedules = fc.constantFrom<ExplorationSchedule>('linear', 'exponential', 'cosine')

  test('it starts at the constant, ends at its share, and only falls, also on the way to 0', () => {
    fc.assert(
      fc.property(
        schedules,
        fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true })),
        fc.double({ min: 0, max: 5, noNaN: true }),
        (schedule, end, exploration) => {
          const all = Array.from({ length: 11 }, (_, iteration) =>
            explorationAt(iteration, 10, { exploration, schedule, end }),
          )
          expect(all[0]).toBeCloseTo(exploration, 12)
          expect(all[10]).toBeCloseTo(exploration * end, 9)
          for (const [index, value] of all.slice(1).entries()) {
            expect(value).toBeLessThanOrEqual((all[index] as number) + 1e-12)
          }
        },
      ),
    )
  })
})

test('of equal scores the first is selected, and of no candidates none', () => {
  expect(selectHighest(['a', 'bb', 'cc'], ({ length }) => length)).toBe('bb')
  expect(selectHighest(['a'], () => Number.NEGATIVE_INFINITY)).toBe('a')
  expect(selectHighest([], () => 1)).toBeNull()
})

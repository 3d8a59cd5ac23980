import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ExplorationSchedule, explorationAt } from '../../shared/search/exploration-at.ts'

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

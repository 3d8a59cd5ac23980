import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { domainOf, endsOf } from '../../../web/charts/plot-domain.ts'
import { effortScale, linearScale } from '../../../web/charts/plot-scale.ts'
import { anyNumber, estimate } from './estimates.ts'

const format = (value: number) => String(value)

describe('the domain of an axis', () => {
  test('is wider than what it holds only up to round numbers', () => {
    expect(domainOf([0.12, 0.43])).toEqual([0.1, 0.45])
  })

  test('holds 0 where it is asked to', () => {
    expect(domainOf([0.12, 0.43], { zero: true })).toEqual([0, 0.5])
    expect(domainOf([-3], { zero: true })[1]).toBe(0)
  })

  test('has room around a single number, and around none', () => {
    expect(domainOf([])).toEqual([0, 1])
    expect(domainOf([0])).toEqual([-1, 1])
    const [low, high] = domainOf([7])
    expect(low).toBeLessThan(7)
    expect(high).toBeGreaterThan(7)
  })

  test('is finite, not empty, and holds every number that is not beyond all measure', () => {
    fc.assert(
      fc.property(fc.array(anyNumber), fc.boolean(), (numbers, zero) => {
        const [low, high] = domainOf(numbers, { zero })
        expect(low).toBeLessThan(high)
        expect(Number.isFinite(high - low)).toBe(true)
        for (const number of numbers.filter((each) => Math.abs(each) <= 1e100)) {
          expect(number).toBeGreaterThanOrEqual(low - Math.abs(low) * 1e-9 - 1e-12)
          expect(number).toBeLessThanOrEqual(high + Math.abs(high) * 1e-9 + 1e-12)
        }
      }),
    )
  })

  test('of an estimate is its mean and its interval, as far as they are known', () => {
    expect(endsOf(estimate(null))).toEqual([])
    expect(endsOf(estimate(0.5))).toEqual([0.5])
    expect(endsOf(estimate(0.5, 0.4, 0.7))).toEqual([0.5, 0.4, 0.7])
  })
})

describe('an axis of what was spent', () => {
  const texts = (numbers: number[], ends: number[] = []) =>
    effortScale(numbers, [0, 100], { ends, count: 5, format }).ticks.map(({ text }) => text)

  test('begins at 0 where the numbers are near each other, whatever their intervals say', () => {
    expect(texts([8, 12], [-3, 14])).toEqual(['0', '2', '4', '6', '8', '10', '12', '14'])
  })

  test('is logarithmic where they are far apart, in the steps of budgets', () => {
    expect(texts([1, 2, 5, 10, 20, 50, 100])).toEqual(['1', '2', '5', '10', '20', '50', '100'])
  })

  test('keeps to powers of ten where the steps between would crowd', () => {
    expect(texts([1, 1_000_000])).toEqual(['1', '10', '100', '1000', '10000', '100000', '1000000'])
  })

  test('is not logarithmic where something cost nothing', () => {
    expect(effortScale([0, 100], [0, 100], { count: 5, format }).isLog).toBe(false)
  })

  test('runs from 0 to 1 where nothing was spent at all', () => {
    expect(texts([0, 0])).toEqual(['0', '0.2', '0.4', '0.6', '0.8', '1'])
    expect(texts([])).toEqual(['0', '0.2', '0.4', '0.6', '0.8', '1'])
  })

  test('keeps everything on it, in order, and its ticks apart', () => {
    const spent = fc.array(fc.double({ min: 0, max: 1e12, noNaN: true }))
    fc.assert(
      fc.property(spent, fc.array(anyNumber), (numbers, ends) => {
        const { at, ticks } = effortScale(numbers, [50, 600], { ends, count: 5, format })
        const places = numbers.toSorted((one, other) => one - other).map(at)
        // Numbers that differ in their last digit alone may change places by as little of a pixel.
        for (const [index, place] of places.slice(1).entries()) {
          expect(place).toBeGreaterThan((places[index] ?? 0) - 1e-9)
        }
        for (const place of [...places, ...ends.map(at)]) {
          expect(place).toBeGreaterThanOrEqual(50)
          expect(place).toBeLessThanOrEqual(600)
        }
        expect(new Set(ticks.map((tick) => tick.at)).size).toBe(ticks.length)
        expect(ticks.length).toBeGreaterThan(0)
        expect(ticks.length).toBeLessThan(20)
      }),
    )
  })

  test('of shares has ticks from 0 to 1, upwards on the page', () => {
    const { ticks, at } = linearScale([0, 1], [300, 0], 5)
    expect(ticks.map(({ text }) => text)).toEqual(['0.0', '0.2', '0.4', '0.6', '0.8', '1.0'])
    expect([at(0), at(0.5), at(1)]).toEqual([300, 150, 0])
  })
})

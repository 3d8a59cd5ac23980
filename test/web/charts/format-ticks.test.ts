import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fittingTicks } from '../../../web/charts/format-ticks.ts'
import { domainOf } from '../../../web/charts/plot-domain.ts'
import { anyNumber } from './estimates.ts'

const texts = (domain: [number, number], width: number) =>
  fittingTicks(domain, width, 5).map(({ text }) => text)

test('an axis has the ticks that its width has room for', () => {
  expect(texts([-0.2, 0.5], 400)).toEqual(['−0.2', '−0.1', '0.0', '0.1', '0.2', '0.3', '0.4', '0.5'])
  expect(texts([-50_000, 300_000], 120)).toEqual(['0', '200 k'])
})

test('where there is room for none, both ends are named', () => {
  expect(texts([0, 1], 10)).toEqual(['0', '1'])
})

test('ticks are within the axis and differ in their labels', () => {
  fc.assert(
    fc.property(fc.array(anyNumber), fc.integer({ min: 0, max: 1500 }), (numbers, width) => {
      const domain = domainOf(numbers)
      const ticks = fittingTicks(domain, width, 5)
      expect(ticks.length).toBeGreaterThan(0)
      expect(ticks.every(({ value }) => value >= domain[0] && value <= domain[1])).toBe(true)
      expect(new Set(ticks.map(({ value }) => value)).size).toBe(ticks.length)
    }),
  )
})

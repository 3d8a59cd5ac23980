import fc from 'fast-check'
import { expect, test } from 'vitest'
import { correctByHolm } from '../../../shared/insight/reports/holm.ts'

test('four p-values are corrected as in R’s p.adjust', () => {
  // p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
  const corrected = correctByHolm([0.01, 0.04, 0.03, 0.005])
  for (const [at, value] of [0.03, 0.06, 0.06, 0.02].entries()) expect(corrected[at]).toBeCloseTo(value, 12)
})

test('a test without a difference counts, and stays without a value', () => {
  expect(correctByHolm([0.01, null, null])).toEqual([0.03, null, null])
  expect(correctByHolm([])).toEqual([])
})

test('corrected values keep the order of the values, lie between them and their product with the number of tests', () => {
  const p = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(fc.array(p, { minLength: 1, maxLength: 30 }), (values) => {
      const corrected = correctByHolm(values) as number[]
      for (const [at, value] of values.entries()) {
        expect(corrected[at]).toBeGreaterThanOrEqual(value)
        expect(corrected[at]).toBeLessThanOrEqual(Math.min(1, value * values.length) + 1e-12)
        for (const [other, rival] of values.entries()) {
          if (value < rival) expect(corrected[at]).toBeLessThanOrEqual(corrected[other] as number)
        }
      }
    }),
  )
})

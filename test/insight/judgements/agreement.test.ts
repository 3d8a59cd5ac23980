import fc from 'fast-check'
import { expect, test } from 'vitest'
import { measureAgreement, type ScorePair } from '../../../shared/insight/judgements/agreement.ts'

const pair = (score: number | null, reference: number | null): ScorePair => ({
  score,
  reference,
  positive: reference === 1,
})

test('counts, accuracy and kappa are those of the textbook', () => {
  // Cohen's kappa of 20, 5, 10 and 15: (0.7 − 0.5) / (1 − 0.5).
  const pairs = [
    ...Array.from({ length: 20 }, () => pair(1, 1)),
    ...Array.from({ length: 5 }, () => pair(0.5, 0)),
    ...Array.from({ length: 10 }, () => pair(0.4, 1)),
    ...Array.from({ length: 15 }, () => pair(0, 0)),
    pair(null, 1),
    pair(null, 0),
    pair(1, null),
    pair(null, null),
  ]
  const found = measureAgreement(pairs, 0.5)
  expect(found).toMatchObject({
    pairs: 50,
    without_score: 2,
    without_reference: 1,
    confusion: { both: 20, score_only: 5, reference_only: 10, neither: 15 },
    accuracy: 0.7,
  })
  expect(found.kappa).toBeCloseTo(0.4, 12)
})

test('correlations: of values, and of ranks with ties', () => {
  const pairs = [pair(0.1, 0), pair(0.2, 0.3), pair(0.2, 0.2), pair(0.9, 1)]
  const { mean_difference, pearson, spearman } = measureAgreement(pairs, 0.5)
  // Computed apart, from the definition; the ranks are 0, 1.5, 1.5, 3 and 0, 2, 1, 3.
  expect(pearson).toBeCloseTo(0.984_734, 5)
  expect(spearman).toBeCloseTo(0.948_683, 5)
  expect(mean_difference).toBeCloseTo(-0.025, 12)
})

test('what cannot be measured is null, never a number', () => {
  expect(measureAgreement([], 0.5)).toMatchObject({
    pairs: 0,
    accuracy: null,
    kappa: null,
    pearson: null,
    spearman: null,
    mean_difference: null,
  })
  const flat = measureAgreement([pair(1, 1), pair(1, 1)], 0.5)
  expect(flat).toMatchObject({ accuracy: 1, kappa: null, pearson: null, spearman: null })
})

test('whatever the pairs, figures lie where they must, and a score agrees wholly with itself', () => {
  const value = fc.option(fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10))
  fc.assert(
    fc.property(fc.array(fc.tuple(value, value)), (values) => {
      const found = measureAgreement(
        values.map(([score, reference]) => pair(score, reference)),
        0.5,
      )
      const { both, neither, reference_only, score_only } = found.confusion
      expect(both + neither + reference_only + score_only).toBe(found.pairs)
      for (const [figure, least] of [
        [found.accuracy, 0],
        [found.kappa, -1],
        [found.pearson, -1],
        [found.spearman, -1],
      ] as const) {
        if (figure === null) continue
        expect(figure).toBeGreaterThanOrEqual(least)
        expect(figure).toBeLessThanOrEqual(1)
      }
      const own = values.map(
        ([score]): ScorePair => ({ score, reference: score, positive: (score ?? 0) >= 0.5 }),
      )
      const same = measureAgreement(own, 0.5)
      expect(same.accuracy ?? 1).toBe(1)
      expect(same.kappa ?? 1).toBeCloseTo(1, 9)
      expect(same.spearman ?? 1).toBeCloseTo(1, 9)
    }),
  )
})

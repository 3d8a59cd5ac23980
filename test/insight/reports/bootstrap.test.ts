import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mostBootstrapTasks, withIntervals } from '../../../shared/insight/reports/bootstrap.ts'
import {
  type Cluster,
  estimateDifference,
  estimateMean,
  estimateRate,
  estimateReward,
} from '../../../shared/insight/reports/estimate.ts'

const bootstrap = <Figures>(build: (method: Parameters<typeof estimateMean>[1]) => Figures) =>
  withIntervals('bootstrap', build)

const drug = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]

describe('a bootstrap interval', () => {
  // SciPy 1.16.3, bootstrap((drug,), np.mean, n_resamples=1000000, method='percentile', rng=default_rng(0)): with a hundred
  // times as many draws, so equal but for chance.
  test('of a mean is that of SciPy', async () => {
    const clusters = drug.map((sum) => ({ count: 1, sum }))
    const { ci } = await bootstrap((method) => estimateMean(clusters, method))
    expect(ci?.method).toBe('bootstrap-percentile')
    expect(Math.abs((ci?.lower ?? 0) - -0.26)).toBeLessThan(0.05)
    expect(Math.abs((ci?.upper ?? 0) - 1.84)).toBeLessThan(0.05)
  })

  // The same, bootstrap((counts, sums), ratio of sums, paired=True): tasks are drawn with all their episodes.
  test('over tasks of unequally many episodes is that of SciPy', async () => {
    const counts = [1, 2, 3, 4, 1, 2, 6, 3]
    const sums = [1, 0, 2, 4, 0, 1, 5, 0]
    const clusters = counts.map((count, index) => ({ count, sum: sums[index] ?? 0 }))
    const { ci, mean } = await bootstrap((method) => estimateRate(clusters, method))
    expect(mean).toBeCloseTo(0.5909090909090909, 12)
    expect(Math.abs((ci?.lower ?? 0) - 0.23529411764705882)).toBeLessThan(0.02)
    expect(Math.abs((ci?.upper ?? 0) - 0.8214285714285714)).toBeLessThan(0.02)
  })

  test('of two tasks holds both, for each is drawn alone in a quarter of the draws', async () => {
    const clusters = [
      { count: 1, sum: 0.2 },
      { count: 1, sum: 0.6 },
    ]
    const found = await bootstrap((method) => [
      estimateReward(clusters, method).ci,
      estimateDifference([0.2, 0.6], method).ci,
    ])
    expect(found).toMatchObject([
      { lower: 0.2, upper: 0.6 },
      { lower: 0.2, upper: 0.6 },
    ])
  })

  test('where all succeed is no more certain than the score interval', async () => {
    const all = Array.from({ length: 10 }, () => ({ count: 1, sum: 1 }))
    expect(await bootstrap((method) => estimateRate(all, method))).toEqual(estimateRate(all, 't'))
  })

  test('is the same to the last bit in every release', async () => {
    const differences = await bootstrap((method) => estimateDifference(drug, method))
    expect(differences.ci).toMatchObject({ lower: -0.2700000000000001, upper: 1.8702499999999966 })
  })

  test('leaves the process time for other work', async () => {
    let [isOver, turns] = [false, 0]
    const count = () => {
      turns += 1
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const many = (step: number) =>
      Array.from({ length: 2000 }, (_, index) => ({ count: 1, sum: (index % step) / step }))
    await bootstrap((method) => [3, 5].map((step) => estimateMean(many(step), method)))
    isOver = true
    expect(turns).toBeGreaterThan(5)
  })

  test('over more tasks than can be drawn is refused by name; equal inputs count once', async () => {
    const inputs = (count: number) =>
      Array.from({ length: count }, (_, at) =>
        Array.from({ length: 10_000 }, (__, index) => at + (index % 7)),
      )
    const most = mostBootstrapTasks / 10_000
    const draw = (method: 't' | 'bootstrap', given: number[][]) =>
      withIntervals(method, (interval) => given.map((values) => estimateDifference(values, interval)))
    const refusal = expect.objectContaining({ code: 'invalid_request', param: 'interval' })
    await expect(draw('bootstrap', inputs(most + 1))).rejects.toEqual(refusal)
    await expect(
      draw('bootstrap', [Array.from({ length: mostBootstrapTasks + 1 }, (_, at) => at)]),
    ).rejects.toEqual(refusal)
    // Intervals of few tasks take time too.
    const pairs = Array.from({ length: mostBootstrapTasks / 20 + 1 }, (_, at) => [0, at + 1])
    await expect(draw('bootstrap', pairs)).rejects.toEqual(refusal)
    expect(await draw('t', inputs(most + 1))).toHaveLength(most + 1)
    const one = Array.from({ length: 100 }, (_, at) => at)
    const repeated = await draw('bootstrap', Array(mostBootstrapTasks / 50).fill(one.toReversed()))
    expect(new Set(repeated.map(({ ci }) => ci?.lower)).size).toBe(1)
  })
})

const shares = fc.array(
  fc
    .integer({ min: 1, max: 4 })
    .chain((count) => fc.record({ count: fc.constant(count), sum: fc.nat(count) })),
  { minLength: 2, maxLength: 12 },
)

test('whatever the tasks, the interval holds the mean, is the same each time and in every order', async () => {
  const shuffled = shares.chain((clusters) =>
    fc.tuple(fc.constant(clusters), fc.shuffledSubarray<Cluster>(clusters, { minLength: clusters.length })),
  )
  await fc.assert(
    fc.asyncProperty(shuffled, async ([clusters, other]) => {
      const [found, again] = await bootstrap((method) => [
        estimateReward(clusters, method),
        estimateReward(other, method),
      ])
      expect(again).toEqual(found)
      if (found?.ci == null) return
      expect(found.ci.lower).toBeLessThanOrEqual(found.mean ?? Number.NaN)
      expect(found.ci.upper).toBeGreaterThanOrEqual(found.mean ?? Number.NaN)
    }),
    { numRuns: 60 },
  )
})

test('intervals built together are those built alone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(shares, { maxLength: 20 }), async (inputs) => {
      const together = await bootstrap((method) => inputs.map((clusters) => estimateReward(clusters, method)))
      const alone = inputs.map((clusters) => bootstrap((method) => estimateReward(clusters, method)))
      expect(together).toEqual(await Promise.all(alone))
    }),
    { numRuns: 20 },
  )
})

import { expect, test } from 'vitest'
import { recordedCounts } from '../../../bench/aws/counts.ts'
import {
  countConflicts,
  endsOf,
  largeRuns,
  recordedConflicts,
  simulateLargeRun,
} from '../../../bench/aws/large-runs.ts'

/** Each run and platform up to ten thousand episodes, of which every end is simulated. */
const whole = largeRuns
  .filter(({ episodes }) => episodes <= 10_000)
  .flatMap((run) => (['lambda', 'workers'] as const).map((platform) => ({ run, platform })))

test.each(whole)(
  'what a run of $run.episodes episodes at $run.latency s is said to meet with $platform is what the engine meets in virtual time; node bench/aws/record-ends.ts records it',
  async ({ platform, run }) => {
    const { conflicts } = await countConflicts(recordedCounts, run, platform)
    const recorded = recordedConflicts.find(
      (one) => one.episodes === run.episodes && one.latency === run.latency && one.platform === platform,
    )
    // A hundredth of an end, where there is next to nothing to meet.
    expect(Math.abs((recorded?.conflicts ?? Number.NaN) - conflicts)).toBeLessThanOrEqual(
      Math.max(0.01, 0.25 * conflicts),
    )
  },
)

test('a hundred thousand episodes are played, and cost a hundred times as much as a thousand, save for what is paid once', () => {
  for (const latency of [2, 20]) {
    const of = (episodes: number) => {
      const run = largeRuns.find((one) => one.episodes === episodes && one.latency === latency)
      if (run === undefined) throw new Error(`There is no run of ${episodes} episodes.`)
      return simulateLargeRun(recordedCounts, run)
    }
    for (const [at, few] of of(1000).entries()) {
      const many = of(100_000)[at]
      // Workers write the segments of many episodes as one object.
      const written = few.platform === 'workers' ? 10 : 100
      expect(many?.operations.s3_writes).toBeGreaterThanOrEqual(100_000 * written)
      expect((many?.total ?? 0) / few.total).toBeGreaterThan(80)
      expect((many?.total ?? 0) / few.total).toBeLessThanOrEqual(101)
    }
  }
})

test('the ends of a longer run than is simulated are as many at once', () => {
  const [longest] = largeRuns.filter(({ episodes }) => episodes === 100_000)
  if (longest === undefined) throw new Error('There is no such run.')
  expect(endsOf(recordedCounts, longest, 'lambda')).toMatchObject({ slots: longest.parallel, places: 10 })
})

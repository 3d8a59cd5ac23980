import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spreadOf } from '../../canary/canary-result.ts'
import { compareRuns } from '../../canary/compare-runs.ts'
import { costOfCanary } from '../../canary/cost-of-canary.ts'
import type { StageMeasures } from '../../canary/meters.ts'
import { readOptions } from '../../canary/options.ts'
import { planCanary } from '../../canary/plans.ts'
import type { PlayedRun } from '../../canary/play-on-stage.ts'
import { redirectOf } from '../../canary/stage-api.ts'
import type { Episode } from '../../shared/core/contracts/episode.ts'
import type { Run } from '../../shared/core/contracts/run.ts'

const optionsOf = (...words: string[]) => {
  const options = readOptions(['--stage', 'dev', ...words])
  if (options === null) throw new Error('No help was asked for.')
  return options
}

test('a plan plays exactly as many episodes as are asked for', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 0, max: 40 }), (episodes, hosted) => {
      const plans = planCanary(optionsOf('--episodes', `${episodes}`, '--hosted', `${hosted}`))
      const counts = plans.map(({ stage }) => (stage.tasks?.limit ?? 0) * (stage.epochs ?? 1))
      expect(counts).toEqual(hosted > 0 ? [episodes, hosted] : [episodes])
    }),
  )
})

test('the runs of one canary differ in where their environments run, and have the names of its id', () => {
  const [simulated, hosted] = planCanary(optionsOf('--id', 'abc'))
  expect(simulated?.stage).toMatchObject({ name: 'canary abc simulated', epochs: 20, max_parallel: 64 })
  expect(hosted?.stage).toMatchObject({ name: 'canary abc hosted', hosting: 'host' })
  expect(hosted?.local).toEqual({ ...hosted?.stage, hosting: 'worker' })
})

/** A run whose episodes have these trees; an episode without one errored. */
function played(trees: Record<string, string | null>, status: Run['status'] = 'succeeded'): PlayedRun {
  const episodes = Object.entries(trees).map(([id, tree]) => ({
    id,
    task: `task of ${id}`,
    result: {
      status: tree === null ? 'errored' : 'succeeded',
      error: tree === null ? { message: 'It broke.' } : null,
    },
  })) as unknown as Episode[]
  const found = Object.entries(trees).flatMap(([id, tree]) => (tree === null ? [] : [[id, tree] as const]))
  return { run: { status, status_reason: null } as Run, episodes, trees: new Map(found) }
}

test('runs with the same trees have no findings, and each difference is one', () => {
  const here = played({ a: '1', b: '2', c: '3' })
  expect(compareRuns('simulated', played({ a: '1', b: '2', c: '3' }), here)).toEqual([])
  expect(compareRuns('simulated', played({ a: '1', b: 'other', c: null }), here)).toEqual([
    'simulated: 1 episodes errored: c It broke.',
    'simulated: 1 trees differ: b (task of b)',
  ])
  expect(compareRuns('simulated', played({ a: '1', b: '2' }, 'failed'), here)).toEqual([
    'simulated: the run ended as failed (no reason)',
    'simulated: 2 episodes, 3 here',
    'simulated: 1 trees differ: c (task of c)',
  ])
})

test('what is metered is paid for at list prices, and what is not is said to be none', () => {
  const measures: StageMeasures = {
    functions: [{ name: 'api', invocations: 1_000_000, gbSeconds: 1_000_000 }],
    dynamodb: { reads: 1_000_000, writes: 1_000_000, conflicts: 3, throttles: 0 },
    sqs: { sent: 250_000, received: 250_000, deleted: 250_000, empty: 250_000 },
    s3: null,
    api: { requests: null },
  }
  const dollars = Object.fromEntries(costOfCanary(measures).map((line) => [line.service, line.dollars]))
  expect(dollars.Lambda).toBeCloseTo(13.3334 + 0.2, 4)
  expect(dollars).toMatchObject({ DynamoDB: 0.75, SQS: 0.5, S3: null, API: null, 'the rest': null })
})

test('a redirect leads on, and an answer that names where something was made does not', () => {
  const answer = (status: number) => new Response(null, { status, headers: { location: '/v1/files/a' } })
  expect(redirectOf(answer(302), 'http://there/v1/x')).toBe('http://there/v1/files/a')
  expect(redirectOf(answer(201), 'http://there/v1/x')).toBeNull()
})

test('a spread has the values at its shares', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect(spreadOf(hundred)).toEqual({ count: 100, p50: 51, p90: 91, p99: 100 })
  expect(spreadOf([])).toEqual({ count: 0, p50: 0, p90: 0, p99: 0 })
})

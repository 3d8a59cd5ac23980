import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Episode } from '../../../shared/core/contracts/episode.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { buildReport } from '../../../shared/insight/reports/build-report.ts'
import { compareRuns } from '../../../shared/insight/reports/compare-runs.ts'
import { foldRun, RunFolds } from '../../../shared/insight/reports/fold-run.ts'
import { buildLeaderboard } from '../../../shared/insight/reports/leaderboard/build-leaderboard.ts'
import {
  endedEpisode,
  erroredEpisode,
  learningEpisode,
  queuedEpisode,
  stream,
} from '../../builders/episodes.ts'
import { endedRun } from '../../builders/runs.ts'

const task = fc.constantFrom('a', 'b', 'c')
const played = fc.array(
  fc.oneof(
    fc.tuple(task, fc.constantFrom(0, 0.1, 0.7, 1), fc.nat(9)).map(
      ([name, reward, steps]) =>
        (index: number) =>
          endedEpisode(index, name, reward, { steps }),
    ),
    task.map((name) => (index: number) => erroredEpisode(index, name)),
    task.map((name) => (index: number) => queuedEpisode(index, name)),
    fc.constant((index: number) => learningEpisode(index)),
  ),
  { maxLength: 30 },
)
const options = { simulated: false, facts: null, interval: 't' } as const

/** A run that has ended, again and again, with other episodes each time. */
function endings() {
  const folds = new RunFolds()
  let passes = 0
  async function* read(episodes: readonly Episode[]) {
    passes += 1
    yield* episodes
  }
  return {
    fold: (run: Run, episodes: readonly Episode[]) => folds.get(run, () => read(episodes)),
    passes: () => passes,
  }
}

test('reports of kept folds are those of the episodes, byte for byte, whenever the run ends again', () =>
  fc.assert(
    fc.asyncProperty(fc.array(played, { minLength: 1, maxLength: 4 }), async (ends) => {
      const { fold } = endings()
      for (const [at, made] of ends.entries()) {
        const episodes = made.map((make, index) => make(index))
        const run = { ...endedRun('run-1'), ended_at: new Date(at).toISOString() }
        for (let again = 0; again < 2; again += 1) {
          const kept = await fold(run, episodes)
          const [report, expected] = [
            await buildReport(run, kept, options),
            await buildReport(run, stream(episodes), options),
          ]
          expect(JSON.stringify(report)).toBe(JSON.stringify(expected))
          const [compared, recomputed] = await Promise.all(
            [kept, stream(episodes)].map((one) =>
              compareRuns(
                [
                  { run, episodes: one },
                  { run, episodes: stream(episodes) },
                ],
                options,
              ),
            ),
          )
          expect(JSON.stringify(compared)).toBe(JSON.stringify(recomputed))
          const [ranked, ranking] = await Promise.all(
            [kept, stream(episodes)].map((one) =>
              buildLeaderboard(
                [
                  { run, episodes: one },
                  { run: endedRun('run-2'), episodes: kept },
                ],
                { simulated: false, selection: {} },
              ),
            ),
          )
          expect(JSON.stringify(ranked)).toBe(JSON.stringify(ranking))
        }
      }
    }),
    { numRuns: 50 },
  ))

test('the episodes of an ended run are read once, however many ask at the same time and later', async () => {
  const { fold, passes } = endings()
  const run = endedRun('run-1')
  const episodes = [endedEpisode(0, 'a', 1)]
  await Promise.all(Array.from({ length: 20 }, () => fold(run, episodes)))
  await fold(run, episodes)
  expect(passes()).toBe(1)
  await fold({ ...run, ended_at: '2030-01-01T00:00:00.000Z' }, episodes)
  expect(passes()).toBe(2)
})

test.each(['queued', 'running', 'paused', 'cancelled'] as const)(
  'the episodes of a run that is %s are read each time',
  async (status) => {
    const { fold, passes } = endings()
    const run: Run = { ...endedRun('run-1'), status }
    await fold(run, [])
    await fold(run, [])
    expect(passes()).toBe(2)
  },
)

test('a fold that fails is made again', async () => {
  const folds = new RunFolds()
  const run = endedRun('run-1')
  async function* broken(): AsyncGenerator<Episode> {
    yield endedEpisode(0, 'a', 1)
    throw new Error('The disk is full.')
  }
  await expect(folds.get(run, broken)).rejects.toThrow('The disk is full.')
  const fold = await folds.get(run, () => stream([endedEpisode(0, 'a', 1)]))
  expect(fold).toEqual(await foldRun(stream([endedEpisode(0, 'a', 1)])))
})

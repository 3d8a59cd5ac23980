import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Episode } from '../../../shared/core/contracts/episode.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { buildReport } from '../../../shared/insight/reports/build-report.ts'
import { rateSuccess } from '../../../shared/insight/reports/rate-success.ts'
import { endedEpisode, erroredEpisode, learningEpisode, stream } from '../../builders/episodes.ts'
import { endedRun } from '../../builders/runs.ts'

const plain = { simulated: false, facts: null, interval: 't' as const }

/** A run whose counters are those of its episodes, `waiting` more of which have not begun. */
function runOf(episodes: Episode[], { epochs = 1, waiting = 0 } = {}): Run {
  const count = (status: string) => episodes.filter((episode) => episode.status === status).length
  const run = endedRun('run-1')
  return {
    ...run,
    learning_episodes: episodes.filter(({ purpose }) => purpose === 'learn').length,
    episodes: {
      ...run.episodes,
      total: episodes.length + waiting,
      waiting,
      succeeded: count('succeeded'),
      failed: count('failed'),
      limited: count('limited'),
      errored: count('errored'),
    },
    request: { ...run.request, epochs },
  }
}

const ending = fc.constantFrom('won', 'lost', 'errored', 'limited', 'out of money')

function played(index: number, task: string, end: string): Episode {
  if (end === 'errored') return erroredEpisode(index, task)
  if (end === 'limited') return endedEpisode(index, task, 0.5, { status: 'limited', limit: 'steps' })
  if (end === 'out of money') return endedEpisode(index, task, null, { status: 'limited', limit: 'cost' })
  return endedEpisode(index, task, end === 'won' ? 1 : 0)
}

test('every rate is that of the report, however it was computed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(ending, { maxLength: 30 }),
      fc.nat(3),
      fc.integer({ min: 1, max: 3 }),
      fc.nat(5),
      async (ends, learning, epochs, waiting) => {
        const lessons = Array.from({ length: learning }, (_, index) => learningEpisode(index))
        const tasks = Math.ceil(ends.length / epochs)
        const episodes = [
          ...lessons,
          ...ends.map((end, at) => played(learning + at, `task-${at % Math.max(1, tasks)}`, end)),
        ]
        const run = runOf(episodes, { epochs, waiting })
        const report = await buildReport(run, stream(episodes), plain)
        const [rate] = await rateSuccess([run], () => stream(episodes))
        expect(rate).toMatchObject({ run: 'run-1', success_rate: report.success_rate })
        expect(rate?.of).not.toBe('share')
      },
    ),
  )
})

test('counters suffice where each task is played once and the ends of all are known', async () => {
  const unread = () => {
    throw new Error('No episode has to be read.')
  }
  const played = [endedEpisode(0, 'a', 1), endedEpisode(1, 'b', 0), erroredEpisode(2, 'c')]
  const learned = [learningEpisode(0), endedEpisode(1, 'a', 1), endedEpisode(2, 'b', 0)]
  const rates = await rateSuccess([runOf(played, { waiting: 7 }), runOf(learned), runOf([])], unread)
  expect(rates.map(({ of, success_rate: { mean, count } }) => [of, mean, count])).toEqual([
    ['counts', 0.5, 2],
    ['counts', 0.5, 2],
    ['counts', null, 0],
  ])
})

test('a run that asks for a dataset has no success rate', async () => {
  const run = runOf([endedEpisode(0, 'run-0/ep-0000000', 1)])
  const method = { id: 'judge-steps', dataset: 'dataset-1', kind: 'revision', parameters: {} }
  const [rate] = await rateSuccess([{ ...run, request: { ...run.request, method } }], () => stream([]))
  expect(rate).toMatchObject({ of: 'counts', success_rate: { mean: null, ci: null, count: 0 } })
})

test('no more than 5,000 episodes of a run and 10,000 in all are read; what is left is a share', async () => {
  const large = (total: number, won: number): Run => {
    const run = runOf([], { epochs: 2 })
    return { ...run, episodes: { ...run.episodes, total, succeeded: won, failed: total - won } }
  }
  const asked: string[] = []
  const rates = await rateSuccess(
    [large(5001, 1000), large(5000, 1), large(5000, 1), large(4, 1)].map((run, at) => ({
      ...run,
      id: `run-${at}`,
    })),
    (run) => {
      asked.push(run)
      return stream([endedEpisode(0, 'a', 1)])
    },
  )
  expect(asked).toEqual(['run-1', 'run-2'])
  expect(rates.map(({ of }) => of)).toEqual(['share', 'episodes', 'episodes', 'share'])
  expect(rates[0]?.success_rate).toEqual({
    mean: 1000 / 5001,
    stderr: null,
    ci: null,
    count: 5001,
    tasks: 2501,
  })
})

test('a run with limited episodes that is too large to read has no rate, because they may have rewards', async () => {
  const run = runOf([])
  const episodes = { ...run.episodes, total: 6000, succeeded: 1000, failed: 2000, limited: 3000 }
  const [rate] = await rateSuccess([{ ...run, episodes }], () => stream([]))
  expect(rate).toMatchObject({ of: 'share', success_rate: { mean: null, count: 0 } })
})

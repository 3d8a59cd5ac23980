import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Episode } from '../../../shared/core/contracts/episode.ts'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import { toList } from '../../../shared/core/contracts/list.ts'
import { listEpisodes, openReports } from '../../../shared/insight/reports/open-reports.ts'
import { endedEpisode } from '../../builders/episodes.ts'
import { endedRun } from '../../builders/runs.ts'

const endpoints: Record<string, string> = { real: 'openai', tried: 'simulated' }

function storedRuns(episodes: Episode[], pageSize = Number.POSITIVE_INFINITY) {
  return {
    get: async (id: string) => {
      const endpoint = endpoints[id]
      if (endpoint === undefined)
        throw new EspalierError('not_found', `There is no run "${id}".`, { param: 'run' })
      return endedRun(id, { model: { endpoint, id: 'small' } })
    },
    journal: async () => [],
    episodes: async (_run: string, { after, limit }: { after?: string | undefined; limit: number }) => {
      const start = after === undefined ? 0 : episodes.findIndex(({ id }) => id === after) + 1
      const page = episodes.slice(start, start + Math.min(limit, pageSize))
      return toList(page, start + page.length < episodes.length)
    },
  }
}

const plain = { isSimulated: () => false, tasksOf: async () => null }

const episodes = [endedEpisode(0, 'a', 1), endedEpisode(1, 'b', 0), endedEpisode(2, 'a', 0)]
const reports = openReports({
  runs: storedRuns(episodes),
  isSimulated: (endpoint) => endpoint === 'simulated',
  tasksOf: async () => null,
})

test('a report says whether its numbers come from the simulated model', async () => {
  expect((await reports.report('tried')).simulated).toBe(true)
  expect((await reports.report('real')).simulated).toBe(false)
})

test('a comparison is simulated as soon as one of its runs is', async () => {
  expect((await reports.compare(['real', 'real'])).simulated).toBe(false)
  expect((await reports.compare(['real', 'tried'])).simulated).toBe(true)
})

test('a leaderboard counts a run once that it is given twice', async () => {
  const { cells } = await reports.leaderboard({ runs: ['real', 'tried', 'real'] })
  expect(cells.map(({ episodes, runs }) => [runs.map(({ run }) => run), episodes])).toEqual([
    [['real'], 3],
    [['tried'], 3],
  ])
})

test('leaderboards, reports and comparisons read the episodes of an ended run once between them', async () => {
  const stored = storedRuns(episodes)
  const read: string[] = []
  const counted = {
    ...stored,
    episodes: (...given: Parameters<typeof stored.episodes>) => {
      read.push(given[0])
      return stored.episodes(...given)
    },
  }
  const { compare, leaderboard, report } = openReports({ ...plain, runs: counted })
  const runs = ['real', 'tried']
  const first = await leaderboard({ runs })
  expect(await leaderboard({ runs })).toEqual(first)
  await compare(runs)
  await report('real')
  expect(read).toEqual(runs)
})

test('an unknown run is named by its place', async () => {
  await expect(reports.report('gone')).rejects.toMatchObject({ code: 'not_found' })
  await expect(reports.compare(['real', 'gone'])).rejects.toMatchObject({
    code: 'not_found',
    param: 'runs[1]',
  })
})

test('the size of pages changes nothing', async () => {
  const many = Array.from({ length: 23 }, (_, index) => endedEpisode(index, `task-${index % 7}`, index % 2))
  const whole = await openReports({ ...plain, runs: storedRuns(many) }).report('real')
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 30 }), async (pageSize) => {
      const runs = storedRuns(many, pageSize)
      const listed: Episode[] = []
      for await (const episode of listEpisodes(runs, 'real')) listed.push(episode)
      expect(listed).toEqual(many)
      expect(await openReports({ ...plain, runs }).report('real')).toEqual(whole)
    }),
  )
})

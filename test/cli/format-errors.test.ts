import fc from 'fast-check'
import { expect, test } from 'vitest'
import { errorLines, formatErrors, groupErrors } from '../../cli/format-errors.ts'
import { type Episode, episodeId } from '../../shared/contracts/episode.ts'
import { toList } from '../../shared/contracts/list.ts'
import { endedEpisode } from '../builders/episodes.ts'
import { halfPlayedRun } from '../builders/runs.ts'

const errored = (index: number, message: string, code?: 'endpoint_failed'): Episode =>
  endedEpisode(index, 'task', null, {
    status: 'errored',
    error: { name: 'ModelError', message, effect: null, ...(code && { code }) },
  })

test('errors that differ in numbers, ids and quoted names are one, and the most frequent is first', () => {
  const groups = groupErrors([
    errored(1, 'The page is gone.'),
    errored(2, 'The endpoint "a" answered 503 after 1.5 s.', 'endpoint_failed'),
    errored(3, 'The endpoint "b" answered 502 after 12 s.', 'endpoint_failed'),
    endedEpisode(4, 'task', 1),
  ])
  expect(groups).toEqual([
    {
      name: 'endpoint_failed',
      message: 'The endpoint "a" answered 503 after 1.5 s.',
      episodes: [episodeId(2), episodeId(3)],
    },
    { name: 'ModelError', message: 'The page is gone.', episodes: [episodeId(1)] },
  ])
  expect(formatErrors(groups, 80)).toEqual([
    '2 × endpoint_failed: The endpoint "a" answered 503 after 1.5 s.',
    `  ${episodeId(2)}, ${episodeId(3)}`,
    '1 × ModelError: The page is gone.',
    `  ${episodeId(1)}`,
  ])
})

test('every errored episode is in one group', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (messages) => {
      const episodes = messages.map((message, index) => errored(index, message))
      const grouped = groupErrors(episodes).flatMap((group) => group.episodes)
      expect(grouped.toSorted()).toEqual(episodes.map(({ id }) => id))
    }),
  )
})

test('all pages of errored episodes are read, and only the first are named', async () => {
  const all = Array.from({ length: 250 }, (_, index) => errored(index, 'The host left.'))
  const client = {
    episodes: async (_run: string, { after, limit }: { after?: unknown; limit?: unknown }) => {
      const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1
      const end = from + Number(limit)
      return toList(all.slice(from, end), end < all.length)
    },
  }
  const run = halfPlayedRun()
  const lines = await errorLines(client, { ...run, episodes: { ...run.episodes, errored: 250 } }, 80)
  expect(lines).toEqual([
    '250 errored, in one way:',
    '250 × ModelError: The host left.',
    `  ${episodeId(0)}, ${episodeId(1)}, ${episodeId(2)} and 247 more`,
  ])
  expect(await errorLines(client, run, 80)).toEqual([])
})

import { expect, test } from 'vitest'
import type { Episode } from '../../../shared/core/contracts/episode.ts'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import type { JournalRecord } from '../../../shared/core/engine/journal-record.ts'
import { EpisodeCache } from '../../../shared/insight/inspection/episode-cache.ts'
import { node, open } from '../../builders/journals.ts'

function runsOf(status: Episode['status'], records: JournalRecord[]) {
  const stands = { status, starts: 1 }
  let read = 0
  return {
    stands,
    records,
    count: () => read,
    runs: {
      episode: async () => stands as Episode,
      journal: async () => {
        read += 1
        return [...records]
      },
    },
  }
}

test.each(['succeeded', 'failed', 'limited', 'errored'] as const)(
  'an episode that has %s is read once',
  async (status) => {
    const cache = new EpisodeCache()
    const { count, runs } = runsOf(status, [open()])
    const first = await cache.read(runs, 'run', 'ep-0000000')
    expect(await cache.read(runs, 'run', 'ep-0000000')).toBe(first)
    expect(count()).toBe(1)
  },
)

test.each(['running', 'queued', 'cancelled'] as const)(
  'what an episode that is %s comes to is seen',
  async (status) => {
    const cache = new EpisodeCache()
    const { records, runs } = runsOf(status, [open()])
    expect((await cache.read(runs, 'run', 'ep-0000000')).played?.tree.nodes).toHaveLength(1)
    records.push(node())
    expect((await cache.read(runs, 'run', 'ep-0000000')).played?.tree.nodes).toHaveLength(2)
  },
)

test('an episode that was taken up again, and another one, are read anew', async () => {
  const cache = new EpisodeCache()
  const { count, records, runs, stands } = runsOf('succeeded', [open()])
  await cache.read(runs, 'run', 'ep-0000000')
  await cache.read(runs, 'run', 'ep-0000001')
  expect(count()).toBe(2)
  stands.starts = 2
  records.push(node())
  expect((await cache.read(runs, 'run', 'ep-0000001')).played?.tree.nodes).toHaveLength(2)
})

test('what is kept is hidden from those who may not see the episode', async () => {
  const cache = new EpisodeCache()
  const { runs } = runsOf('succeeded', [open()])
  await cache.read(runs, 'run', 'ep-0000000')
  const refused = async () => {
    throw new EspalierError('not_found', 'There is no such run.', { param: 'run' })
  }
  const others = { ...runs, episode: refused }
  await expect(cache.read(others, 'run', 'ep-0000000')).rejects.toMatchObject({ code: 'not_found' })
})

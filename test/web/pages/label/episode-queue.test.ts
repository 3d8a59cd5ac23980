import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Episode } from '../../../../shared/core/contracts/episode.ts'
import type { EpisodeJudgement } from '../../../../shared/core/contracts/judgement.ts'
import { judgeableEpisodes, judgedEpisodes, nextEpisode } from '../../../../web/pages/label/episode-queue.ts'

function episode(id: string, status: string | null, purpose = 'play'): Episode {
  return { id, purpose, result: status === null ? null : { status } } as Episode
}

test('episodes that played a task to an end are judged, narrowed by how they ended', () => {
  const episodes = [
    episode('a', 'succeeded'),
    episode('b', 'failed'),
    episode('c', 'errored'),
    episode('d', null),
    episode('e', 'limited'),
    episode('f', 'cancelled'),
    episode('g', 'succeeded', 'learn'),
  ]
  const ids = (found: Episode[]) => found.map(({ id }) => id).join('')
  expect(ids(judgeableEpisodes(episodes, 'any'))).toBe('abe')
  expect(ids(judgeableEpisodes(episodes, 'failed'))).toBe('b')
})

test('an episode of which only a step was judged is still to be judged', () => {
  const judgements = [
    { episode: 'a', node: 3 },
    { episode: 'b', node: null },
  ] as EpisodeJudgement[]
  expect([...judgedEpisodes(judgements)]).toEqual(['b'])
})

describe('the next episode', () => {
  const queue = ['a', 'b', 'c', 'd'].map((id) => episode(id, 'succeeded'))

  test('is the next that is wanted, and behind the last the first', () => {
    const isWanted = (id: string) => id !== 'c'
    expect(nextEpisode(queue, null, isWanted)).toBe('a')
    expect(nextEpisode(queue, 'b', isWanted)).toBe('d')
    expect(nextEpisode(queue, 'd', isWanted)).toBe('a')
    expect(nextEpisode(queue, 'd', () => false)).toBeNull()
  })

  test('reaches every wanted episode once when each is judged in turn', () => {
    fc.assert(
      fc.property(fc.subarray(['a', 'b', 'c', 'd']), fc.constantFrom(null, 'a', 'c'), (wanted, begin) => {
        const open = new Set(wanted.filter((id) => id !== begin))
        const seen: string[] = []
        for (let at = nextEpisode(queue, begin, (id) => open.has(id)); at !== null; ) {
          seen.push(at)
          open.delete(at)
          at = nextEpisode(queue, at, (id) => open.has(id))
        }
        expect(seen.sort()).toEqual(wanted.filter((id) => id !== begin))
      }),
    )
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { episodeOrderSchema, episodeStatusSchema } from '../../../../shared/core/contracts/episode.ts'
import { pageOf, pageSize, pagesIn } from '../../../../web/pages/run/episodes/episode-rows.ts'
import {
  type EpisodeView,
  episodeStatuses,
  isPlain,
  readEpisodeView,
  sortedBy,
  writeEpisodeView,
} from '../../../../web/pages/run/episodes/episode-view.ts'
import { episodeWord } from '../../../../web/pages/run/episodes/episode-word.ts'
import { triesOf } from '../../../../web/pages/run/episodes/tries-of.ts'

const plain: EpisodeView = { sort: 'index', order: 'asc' }
const views: fc.Arbitrary<EpisodeView> = fc.record(
  {
    status: fc.constantFrom(...episodeStatusSchema.options),
    task: fc.constantFrom('task-1', 'a&b=c', 'عربي', 'with a space'),
    sort: fc.constantFrom(...episodeOrderSchema.options),
    order: fc.constantFrom('asc' as const, 'desc' as const),
  },
  { requiredKeys: ['sort', 'order'] },
)

describe('what is shown of the episodes', () => {
  test('comes back from the address as it was written, beside what else is there', () => {
    fc.assert(
      fc.property(views, views, (view, before) => {
        const address = writeEpisodeView(new URLSearchParams('tab=x'), before)
        const written = writeEpisodeView(address, view)
        expect(readEpisodeView(new URLSearchParams(written.toString()))).toEqual(view)
        expect(written.get('tab')).toBe('x')
      }),
    )
  })

  test('leaves no trace in the address where it is the usual', () => {
    expect(writeEpisodeView(new URLSearchParams('status=failed&sort=cost'), plain).toString()).toBe('')
  })

  test('is the usual where the address has an unknown value', () => {
    const query = new URLSearchParams('status=dead&sort=luck&order=up&task=%20')
    expect(readEpisodeView(query)).toEqual(plain)
  })

  test('is offered every status and order that the service knows', () => {
    expect(episodeStatuses).toEqual(episodeStatusSchema.options)
    for (const sort of episodeOrderSchema.options) {
      expect(readEpisodeView(new URLSearchParams({ sort })).sort).toBe(sort)
    }
  })

  test('is asked for by position only where it is all, in the order of the index', () => {
    fc.assert(
      fc.property(views, (view) => {
        expect(isPlain(view)).toBe(writeEpisodeView(new URLSearchParams(), view).size === 0)
      }),
    )
  })
})

test('a first click orders figures from the greatest and names from the first; another turns it round', () => {
  const byCost = sortedBy(plain, 'cost')
  expect(byCost).toEqual({ sort: 'cost', order: 'desc' })
  expect(sortedBy(byCost, 'cost')).toEqual({ sort: 'cost', order: 'asc' })
  expect(sortedBy({ ...byCost, status: 'failed' }, 'task')).toEqual({
    sort: 'task',
    order: 'asc',
    status: 'failed',
  })
})

test('the pages of any rows hold each of them, and none that does without', () => {
  fc.assert(
    fc.property(fc.nat(100_000), fc.nat(500), (first, more) => {
      const last = first + more
      const pages = pagesIn({ first, last })
      expect(pages[0]).toBe(pageOf(first))
      expect(pages.at(-1)).toBe(pageOf(last))
      expect(pages).toHaveLength(Math.floor(last / pageSize) - Math.floor(first / pageSize) + 1)
    }),
  )
})

test.each([
  [{ starts: 0, errors: 0 }, 0],
  [{ starts: 3, errors: 0 }, 1],
  [{ starts: 3, errors: 2 }, 3],
] as const)('%j was tried %i times', (episode, tries) => {
  expect(triesOf(episode)).toBe(tries)
})

test.each([
  [{ status: 'queued', starts: 0, result: null }, 'waiting', 'waiting'],
  [{ status: 'queued', starts: 1, result: null }, 'queued', 'held'],
  [{ status: 'running', starts: 1, result: null }, 'running', 'held'],
  [{ status: 'cancelled', starts: 1, result: null }, 'cancelled', 'cancelled'],
] as const)('%j is %s, and %s while its run is paused', (episode, word, paused) => {
  expect(episodeWord(episode, false)).toBe(word)
  expect(episodeWord(episode, true)).toBe(paused)
})

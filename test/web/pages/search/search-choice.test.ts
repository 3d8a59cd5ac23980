import { expect, test } from 'vitest'
import { episodeEndSchema } from '../../../../shared/core/contracts/episode.ts'
import { passageKindSchema } from '../../../../shared/core/contracts/transcript-search.ts'
import {
  outcomes,
  passageKinds,
  readSearch,
  withoutSearchFilters,
} from '../../../../web/pages/search/search-choice.ts'

test('outcomes and kinds to choose from are those of the service', () => {
  expect(outcomes).toEqual(episodeEndSchema.options)
  expect(passageKinds).toEqual(passageKindSchema.options)
})

test('an address says what is searched for; what is no outcome or kind is left out', () => {
  const read = (query: string) => readSearch(new URLSearchParams(query))
  expect(read('')).toEqual({ q: '', filters: {} })
  expect(read('q=+white+wool+&kind=note&outcome=lost&run=run-1&tag=+&limit=3')).toEqual({
    q: 'white wool',
    filters: { kind: 'note', run: 'run-1' },
  })
  expect(read('kind=letter&outcome=failed').filters).toEqual({ outcome: 'failed' })
})

test('without filters the words stay', () => {
  const address = new URLSearchParams('q=wool&kind=note&run=run-1&finish_reason=stop')
  expect(withoutSearchFilters(address).toString()).toBe('q=wool')
})

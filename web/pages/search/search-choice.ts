import type { Query } from '../../../shared/core/client/transport.ts'
import type { EpisodeEnd } from '../../../shared/core/contracts/episode.ts'
import type { PassageKind } from '../../../shared/core/contracts/transcript-search.ts'
import { withEntry } from '../../format/with-entry.ts'

export const outcomes: readonly EpisodeEnd[] = ['succeeded', 'failed', 'limited', 'errored', 'cancelled']
export const passageKinds: readonly PassageKind[] = ['observation', 'answer', 'note']

const filterNames = [
  'environment',
  'method',
  'outcome',
  'finish_reason',
  'kind',
  'experiment',
  'tag',
  'run',
] as const

export type SearchFilterName = (typeof filterNames)[number]

export function readSearch(address: URLSearchParams): { q: string; filters: Query } {
  const given = filterNames.flatMap((name) => {
    const value = address.get(name)?.trim().slice(0, 200) ?? ''
    return value === '' || !isKnown(name, value) ? [] : [[name, value]]
  })
  return { q: address.get('q')?.trim().slice(0, 500) ?? '', filters: Object.fromEntries(given) }
}

function isKnown(name: SearchFilterName, value: string): boolean {
  if (name === 'outcome') return outcomes.some((each) => each === value)
  return name !== 'kind' || passageKinds.some((each) => each === value)
}

export function withoutSearchFilters(address: URLSearchParams): URLSearchParams {
  return filterNames.reduce((next, name) => withEntry(next, name, ''), address)
}

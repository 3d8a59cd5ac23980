import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { ApiError } from '../../../shared/core/client/api-error.ts'
import type { Query } from '../../../shared/core/client/transport.ts'
import type { TranscriptHits } from '../../../shared/core/contracts/transcript-search.ts'
import { Button } from '../../components/button.tsx'
import cards from '../../components/cards.module.css'
import { CommandExample } from '../../components/command-example.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { ShowMore } from '../../components/show-more.tsx'
import { countOf } from '../../format/count-of.ts'
import { api } from '../../service/api.ts'
import { useAddress } from '../../service/use-address.ts'
import { HitCard, hitsByEpisode } from './hit-card.tsx'
import { SearchBar } from './search-bar.tsx'
import { readSearch, withoutSearchFilters } from './search-choice.ts'
import styles from './search-page.module.css'

const pageSize = 25

/**
 * Milliseconds until a search with episodes left to index is repeated, since each search indexes some. The pause
 * grows with the number of searches.
 */
const whileIndexing = { least: 1000, most: 15_000, more: 200 }

export function SearchPage() {
  const [address, setAddress] = useAddress()
  const { filters, q } = readSearch(address)
  const query = useTranscripts(q, filters)
  const refused = query.error instanceof ApiError && query.error.param === 'q' ? query.error.message : null
  return (
    <>
      <PageHeader
        title="Search"
        tab={q === '' ? 'Search' : `${q}: search`}
        lead={
          <>
            What environments showed, models answered and methods noted, in every node of ended episodes.{' '}
            <Link to="/guide/search">How it searches</Link>
          </>
        }
      />
      <SearchBar error={refused} />
      {refused !== null ? null : q === '' ? (
        <NothingAsked />
      ) : (
        <section aria-label="What was found" aria-busy={query.isPlaceholderData} className={styles.found}>
          <Loaded what="what was found" query={query}>
            {({ pages }) => (
              <>
                <p role="status" className={cards.cardsSummary}>
                  {summaryOf(pages, query.hasNextPage)}
                </p>
                <Hits
                  pages={pages}
                  isMore={query.hasNextPage}
                  onClear={
                    Object.keys(filters).length > 0 ? () => setAddress(withoutSearchFilters) : undefined
                  }
                />
              </>
            )}
          </Loaded>
          <ShowMore query={query} />
        </section>
      )}
    </>
  )
}

function Hits({
  pages,
  isMore,
  onClear,
}: {
  pages: readonly TranscriptHits[]
  isMore: boolean
  onClear: (() => void) | undefined
}) {
  const hits = pages.flatMap(({ data }) => data)
  if (hits.length > 0) {
    return (
      <ol className={cards.cards}>
        {hitsByEpisode(hits).map(([first, ...others]) => (
          <li key={first.id}>
            <HitCard hit={first} />
            {others.length > 0 && (
              <details className={styles.others}>
                <summary>{countOf(others.length, 'more passage')} of this episode</summary>
                <ol className={cards.cards}>
                  {others.map((hit) => (
                    <li key={hit.id}>
                      <HitCard hit={hit} />
                    </li>
                  ))}
                </ol>
              </details>
            )}
          </li>
        ))}
      </ol>
    )
  }
  const isIndexing = pages.some(({ not_indexed }) => not_indexed > 0)
  return (
    <EmptyState
      title={isMore || isIndexing ? 'Nothing was found yet' : 'Nothing was found'}
      action={onClear && <Button onClick={onClear}>Clear the filters</Button>}
    >
      {isIndexing
        ? 'The page searches again as ended episodes are indexed.'
        : isMore
          ? 'Older runs were not looked at yet.'
          : 'A passage must have all of the words. Fewer of them, or the beginning of one with a star, find more.'}
    </EmptyState>
  )
}

function NothingAsked() {
  return (
    <EmptyState title="Nothing is searched for">
      <p>
        Words of an error of the environment find the episodes that met it; words of an answer find where a
        model said so. On the command line:
      </p>
      <CommandExample
        label="A search on the command line"
        text={`espalier search '"invalid action"' --outcome failed --service ${location.origin}`}
      />
    </EmptyState>
  )
}

function summaryOf(pages: readonly TranscriptHits[], isMore: boolean): string {
  const shown = pages.reduce((sum, { data }) => sum + data.length, 0)
  const [first] = pages
  const last = pages.at(-1)
  if (first === undefined || last === undefined) return ''
  const left = Math.max(first.not_indexed, last.not_indexed)
  return [
    `${countOf(shown, 'passage')}${isMore ? ' so far' : ''}, in ${countOf(first.runs, 'run')}${first.more_runs ? ' and older ones' : ''}.`,
    ...(left > 0 ? [`${countOf(left, 'ended episode')} not indexed yet.`] : []),
    ...(first.cut_episodes > 0
      ? [`${countOf(first.cut_episodes, 'episode')} too long to be searched whole.`]
      : []),
  ].join(' ')
}

function useTranscripts(q: string, filters: Query) {
  return useInfiniteQuery({
    queryKey: ['transcripts', q, filters],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      api.searchTranscripts({
        ...filters,
        q,
        limit: pageSize,
        ...(pageParam !== null && { after: pageParam }),
      }),
    getNextPageParam: ({ has_more, last_id }) => (has_more ? last_id : null),
    enabled: q !== '',
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data, dataUpdateCount } }) => {
      const pages = data?.pages ?? []
      if (pages.every(({ not_indexed }) => not_indexed === 0)) return false
      const { least, more, most } = whileIndexing
      return Math.min(most, least + more * dataUpdateCount) * Math.max(1, pages.length)
    },
  })
}

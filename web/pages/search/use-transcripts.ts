import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { Query } from '../../../shared/core/client/transport.ts'
import { api } from '../../service/api.ts'

const pageSize = 25

/**
 * Milliseconds until a search with episodes left to index is repeated, since each search indexes some. The pause
 * grows with the number of searches.
 */
const whileIndexing = { least: 1000, most: 15_000, more: 200 }

export function useTranscripts(q: string, filters: Query) {
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

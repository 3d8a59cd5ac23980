import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { Episode } from '../../../../shared/core/contracts/episode.ts'
import { episodeId } from '../../../../shared/core/contracts/episode-id.ts'
import type { List } from '../../../../shared/core/contracts/list.ts'
import type { Run } from '../../../../shared/core/contracts/run.ts'
import { api } from '../../../service/api.ts'
import { useDebounced } from '../../../service/use-debounced.ts'
import { type EpisodeRows, pageOf, pageSize, pagesIn, type RowRange } from './episode-rows.ts'

/** Milliseconds without scrolling before the visible rows are loaded, so that scrolling past them costs nothing. */
const rest = 120
/** Milliseconds for which an invisible page stays cached. */
const gcTime = 60_000

export function usePlainRows(run: Run, isWanted: boolean): EpisodeRows {
  const queryClient = useQueryClient()
  const [seen, setSeen] = useState<RowRange>({ first: 0, last: 0 })
  const pages = pagesIn(useDebounced(seen, rest))
  const keyOf = (page: number) => ['episodes', run.id, 'page', page]
  const results = useQueries({
    queries: (isWanted ? pages : []).map((page) => ({
      queryKey: keyOf(page),
      queryFn: () => api.episodes(run.id, queryOf(page)),
      gcTime,
    })),
  })
  const onRange = useCallback((first: number, last: number) => {
    setSeen((before) => (before.first === first && before.last === last ? before : { first, last }))
  }, [])
  const refused = results.find(({ data, error }) => data === undefined && error !== null)
  const { total } = run.episodes
  return {
    count: total,
    rowCount: total,
    rowAt: (index) => queryClient.getQueryData<List<Episode>>(keyOf(pageOf(index)))?.data[index % pageSize],
    onRange,
    isBusy: results.some(({ isPending }) => isPending),
    error: refused?.error ?? null,
    refetch: () => void refused?.refetch(),
    stop: null,
    asOf: null,
  }
}

function queryOf(page: number) {
  return { limit: pageSize, ...(page > 0 && { after: episodeId(page * pageSize - 1) }) }
}

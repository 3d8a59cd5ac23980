import { useInfiniteQuery, useQueries, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import type { Episode } from '../../../../shared/core/contracts/episode.ts'
import { episodeId } from '../../../../shared/core/contracts/episode-id.ts'
import type { List } from '../../../../shared/core/contracts/list.ts'
import type { Run } from '../../../../shared/core/contracts/run.ts'
import { Button } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState, messageOf } from '../../../components/error-state.tsx'
import { api } from '../../../service/api.ts'
import { hasEnded } from '../../../service/follow-run.ts'
import { keepOf } from '../../../service/keep-of.ts'
import { pageAfterPage } from '../../../service/page-after-page.ts'
import { useDebounced } from '../../../service/use-debounced.ts'
import { episodeColumns, whyNoFigures } from './episode-columns.tsx'
import { type EpisodeRows, pageOf, pageSize, pagesIn, type RowRange } from './episode-rows.ts'
import { EpisodeTable } from './episode-table.tsx'
import { type EpisodeView, isPlain } from './episode-view.ts'
import styles from './episodes.module.css'

/** Milliseconds without scrolling before the visible rows are loaded, so that scrolling past them costs nothing. */
const rest = 120
const gcTime = 60_000

/** Episodes per request. Pages are large, because the service scans the whole run for each. */
const limit = 500
const ahead = 60
/** Milliseconds for which pages stay fresh. Later changes arrive with the run's events. */
const staleTime = 60_000
const firstRows = 20

export function EpisodeList({
  run,
  view,
  onView,
}: {
  run: Run
  view: EpisodeView
  onView: (view: EpisodeView) => void
}) {
  const { episodes, request, status } = run
  const columns = useMemo(() => episodeColumns({ request, status }), [request, status])
  const isAll = isPlain(view)
  const plain = usePlainRows(run, isAll)
  const ordered = useOrderedRows(run, view, !isAll)
  const rows = isAll ? plain : ordered
  if (rows.error !== null) return <ErrorState error={rows.error} onRetry={rows.refetch} />
  if (rows.rowCount === 0 && !rows.isBusy) {
    const { order, sort } = view
    return (
      <EmptyState
        title="No episode is like that"
        action={<Button onClick={() => onView({ sort, order })}>Show all episodes</Button>}
      >
        None of the run’s {run.episodes.total.toLocaleString('en')} episodes passes the filters.
      </EmptyState>
    )
  }
  return (
    <>
      {rows.asOf !== null && (
        <p className={styles.listNote}>
          These pages are as of {new Date(rows.asOf).toLocaleTimeString()}.{' '}
          <Button onClick={rows.refetch}>Read them again</Button>
        </p>
      )}
      <EpisodeTable columns={columns} view={view} onView={onView} rows={rows} />
      {episodes.cancelled + episodes.active > 0 && <p className={styles.listFoot}>–: {whyNoFigures}</p>}
      {rows.stop !== null && (
        <p role="alert" className={styles.listNote}>
          {messageOf(rows.stop)} <Button onClick={rows.refetch}>Try again</Button>
        </p>
      )}
    </>
  )
}

function useOrderedRows(run: Run, view: EpisodeView, isWanted: boolean): EpisodeRows {
  const { order, reason, sort, status, task } = view
  const pages = useInfiniteQuery({
    queryKey: ['episodes', run.id, 'ordered', { reason, status, task, sort, order }],
    ...pageAfterPage((from) => api.episodes(run.id, { reason, status, task, sort, order, limit, ...from })),
    placeholderData: keepOf('episodes', run.id),
    staleTime,
    enabled: isWanted,
  })
  const { data, fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError, isPlaceholderData } =
    pages
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data])
  const canGoOn = hasNextPage && !isPlaceholderData && !isFetchingNextPage && !isFetchNextPageError
  const onRange = useCallback(
    (_first: number, last: number) => {
      if (canGoOn && last >= rows.length - ahead) void fetchNextPage()
    },
    [canGoOn, rows.length, fetchNextPage],
  )
  const isRead = data !== undefined
  return {
    count: isRead ? rows.length : firstRows,
    rowCount: isRead && !hasNextPage ? rows.length : null,
    rowAt: (index) => rows[index],
    onRange,
    isBusy: pages.isPending || isPlaceholderData || isFetchingNextPage,
    error: isRead ? null : pages.error,
    refetch: () => void (isFetchNextPageError ? fetchNextPage() : pages.refetch()),
    stop: isFetchNextPageError ? pages.error : null,
    asOf: !hasEnded(run) && (data?.pages.length ?? 0) > 1 ? pages.dataUpdatedAt : null,
  }
}

function usePlainRows(run: Run, isWanted: boolean): EpisodeRows {
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

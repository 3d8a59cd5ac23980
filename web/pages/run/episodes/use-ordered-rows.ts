import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { Run } from '../../../../shared/core/contracts/run.ts'
import { api } from '../../../service/api.ts'
import { hasEnded } from '../../../service/follow-run.ts'
import { pageAfterPage } from '../../../service/page-after-page.ts'
import type { EpisodeRows } from './episode-rows.ts'
import type { EpisodeView } from './episode-view.ts'

/** Episodes per request. Pages are large, because the service scans the whole run for each. */
const limit = 500
const ahead = 60
/** Milliseconds for which pages stay fresh. Later changes arrive with the run's events. */
const staleTime = 60_000
const firstRows = 20

export function useOrderedRows(run: Run, view: EpisodeView, isWanted: boolean): EpisodeRows {
  const { order, sort, status, task } = view
  const pages = useInfiniteQuery({
    queryKey: ['episodes', run.id, 'ordered', { status, task, sort, order }],
    ...pageAfterPage((from) => api.episodes(run.id, { status, task, sort, order, limit, ...from })),
    placeholderData: keepPreviousData,
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

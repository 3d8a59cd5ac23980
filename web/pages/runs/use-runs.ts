import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { Run, RunFilter } from '../../../shared/contracts/run.ts'
import { api } from '../../service/api.ts'
import { isGoingOn } from '../../service/follow-run.ts'
import { pageAfterPage } from '../../service/page-after-page.ts'
import { hasScored } from './has-scored.ts'
import { toRunQuery } from './run-filters.ts'

const pageSize = 25

/** Under which the success rates of all pages of the list are kept. */
export const successKey = ['success'] as const

/** Runs, newest first, as far as they were asked for; asked for again as long as the page is open, more often while one is running. */
export function useRuns(filters: RunFilter) {
  return useInfiniteQuery({
    queryKey: ['runs', filters, 'pages'],
    ...pageAfterPage((from) => api.runs({ ...toRunQuery(filters), limit: pageSize, ...from })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => {
      const pages = data?.pages ?? []
      const isActive = pages.some((page) => page.data.some(isGoingOn))
      // Every page is read again: many of them less often.
      return (isActive ? 2000 : 15_000) * Math.max(1, pages.length / 4)
    },
  })
}

/** The success rates of a page of runs; those of the last time stay until the next are there. */
export function useSuccessRates(runs: readonly Run[]) {
  const asked = runs.filter(hasScored)
  const counts = asked.map(({ id, episodes: { succeeded, failed, limited, total } }) =>
    [id, succeeded, failed, limited, total].join(' '),
  )
  return useQuery({
    queryKey: [...successKey, counts],
    queryFn: async () => {
      const { rates } = await api.success(asked.map(({ id }) => id))
      return new Map(rates.map((rate) => [rate.run, rate]))
    },
    enabled: asked.length > 0,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })
}

import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { Run, RunFilter } from '../../../shared/core/contracts/run.ts'
import { api } from '../../service/api.ts'
import { isGoingOn } from '../../service/follow-run.ts'
import { pageAfterPage } from '../../service/page-after-page.ts'
import { hasScored } from './has-scored.ts'
import { toRunQuery } from './run-filters.ts'

const pageSize = 25

export const successKey = ['success'] as const

export function useRuns(filters: RunFilter) {
  return useInfiniteQuery({
    queryKey: ['runs', filters, 'pages'],
    ...pageAfterPage((from) => api.runs({ ...toRunQuery(filters), limit: pageSize, ...from })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => {
      const pages = data?.pages ?? []
      const isActive = pages.some((page) => page.data.some(isGoingOn))
      // Each refetch reads every loaded page, so poll less often if there are many.
      return (isActive ? 2000 : 15_000) * Math.max(1, pages.length / 4)
    },
  })
}

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

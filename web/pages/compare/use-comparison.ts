import {
  keepPreviousData,
  type UseQueryResult,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Curves } from '../../../shared/core/contracts/curve.ts'
import type { Comparison } from '../../../shared/core/contracts/report.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { api } from '../../service/api.ts'
import { isGoingOn } from '../../service/follow-run.ts'
import { runQuery } from '../../service/run-query.ts'
import type { CompareChoice } from './compare-choice.ts'

const pollMilliseconds = 5000

/** Milliseconds. Curves read up to a thousand journals, so they are refetched less often. */
const curvesStay = 15_000

export interface ComparisonState {
  runs: { id: string; query: UseQueryResult<Run> }[]
  comparison: UseQueryResult<Comparison>
  /**
   * A separate query, so that the comparison shows even if curves are unavailable. It runs only if the runs share
   * tasks.
   */
  curves: UseQueryResult<Curves>
  isMoving: boolean
}

export function useComparison({ runs, interval, over }: CompareChoice): ComparisonState {
  const found = useQueries({
    queries: runs.map((id) => ({
      ...runQuery(id),
      refetchInterval: ({ state }: { state: { data: Run | undefined } }) =>
        state.data !== undefined && isGoingOn(state.data) ? pollMilliseconds : false,
    })),
  })
  const isMoving = found.some(({ data }) => data !== undefined && isGoingOn(data))
  const areThere = runs.length > 0 && found.every(({ data }) => data !== undefined)
  const comparison = useQuery({
    queryKey: ['compare', runs, interval],
    queryFn: () => api.compare(runs, { interval }),
    enabled: areThere && runs.length > 1,
    placeholderData: keepPreviousData,
    refetchInterval: isMoving ? pollMilliseconds : false,
  })
  const hasShared = (comparison.data?.shared_tasks ?? 0) > 0
  const curves = useQuery({
    queryKey: ['curves', runs, over],
    queryFn: () => api.curves(runs, over),
    enabled: comparison.isEnabled && hasShared,
    placeholderData: keepPreviousData,
    staleTime: curvesStay,
    refetchInterval: isMoving ? curvesStay : false,
  })
  useLastLook(isMoving)
  const queries = runs.flatMap((id, index) => {
    const query = found[index]
    return query === undefined ? [] : [{ id, query }]
  })
  return { runs: queries, comparison, curves, isMoving }
}

/** Refetches everything when the last run stops, because the previous read may be outdated. */
function useLastLook(isMoving: boolean): void {
  const queryClient = useQueryClient()
  const wasMoving = useRef(isMoving)
  useEffect(() => {
    if (wasMoving.current && !isMoving) {
      void queryClient.invalidateQueries({ queryKey: ['compare'] })
      void queryClient.invalidateQueries({ queryKey: ['curves'] })
    }
    wasMoving.current = isMoving
  }, [isMoving, queryClient])
}

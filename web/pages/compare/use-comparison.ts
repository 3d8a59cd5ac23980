import {
  keepPreviousData,
  type UseQueryResult,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Curves } from '../../../shared/contracts/curve.ts'
import type { Comparison } from '../../../shared/contracts/report.ts'
import type { Run } from '../../../shared/contracts/run.ts'
import { api } from '../../service/api.ts'
import { isGoingOn } from '../../service/follow-run.ts'
import { runQuery } from '../../service/run-query.ts'
import type { CompareChoice } from './compare-choice.ts'

/** Milliseconds between reads while a run is running. */
const whileRunning = 5000

/** Milliseconds; up to a thousand journals are read for curves. */
const curvesStay = 15_000

export interface ComparisonState {
  /** The chosen runs, in their order. */
  runs: { id: string; query: UseQueryResult<Run> }[]
  /** Of two runs or more, once all are known to be there. */
  comparison: UseQueryResult<Comparison>
  /** Asked for on its own, so that the rest is shown where it is not available; only where tasks are shared. */
  curves: UseQueryResult<Curves>
  /** Whether some of the runs are running, so that the numbers change. */
  isMoving: boolean
}

/** What the page knows of the chosen runs, read again while any of them is running. */
export function useComparison({ runs, interval, over }: CompareChoice): ComparisonState {
  const found = useQueries({
    queries: runs.map((id) => ({
      ...runQuery(id),
      refetchInterval: ({ state }: { state: { data: Run | undefined } }) =>
        state.data !== undefined && isGoingOn(state.data) ? whileRunning : false,
    })),
  })
  const isMoving = found.some(({ data }) => data !== undefined && isGoingOn(data))
  const areThere = runs.length > 0 && found.every(({ data }) => data !== undefined)
  const comparison = useQuery({
    queryKey: ['compare', runs, interval],
    queryFn: () => api.compare(runs, { interval }),
    enabled: areThere && runs.length > 1,
    placeholderData: keepPreviousData,
    refetchInterval: isMoving ? whileRunning : false,
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

/** Reads everything once more when the last run stops: what was read before may be outdated. */
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

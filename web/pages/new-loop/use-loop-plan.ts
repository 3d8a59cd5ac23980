import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { LoopPlan } from '../../../shared/core/contracts/loop-report.ts'
import { api } from '../../service/api.ts'
import { useDebounced } from '../../service/use-debounced.ts'
import type { LoopDraft } from './loop-draft.ts'

export interface PlanOfLoop {
  data: LoopPlan | undefined
  error: unknown
  isOld: boolean
  ask: () => void
}

export function useLoopPlan(draft: LoopDraft, isComplete: boolean): PlanOfLoop {
  const text = JSON.stringify(draft)
  const asked = useDebounced(isComplete ? text : '', 500)
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: ['loop-plan', asked],
    queryFn: () => api.planLoop(JSON.parse(asked) as LoopDraft),
    enabled: isComplete && asked !== '',
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  })
  return {
    data: isComplete ? data : undefined,
    error: isComplete ? error : null,
    isOld: isComplete && (text !== asked || isPlaceholderData || isFetching),
    ask: () => void refetch(),
  }
}

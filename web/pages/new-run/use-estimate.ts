import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { JsonObject } from '../../../shared/contracts/json.ts'
import { api } from '../../service/api.ts'
import { useDebounced } from '../../service/use-debounced.ts'

/**
 * The estimate of a request, as JSON: asked for when the request has not changed for a moment. An outdated question is aborted.
 */
export function useEstimate(request: string, isComplete: boolean) {
  const asked = useDebounced(isComplete ? request : '', 400)
  const query = useQuery({
    queryKey: ['estimate', asked],
    queryFn: ({ signal }) => api.estimateRun(JSON.parse(asked) as JsonObject, signal),
    // Right after the last choice, what has stood still is still without it.
    enabled: isComplete && asked !== '',
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  })
  return { query, isOld: isComplete && (request !== asked || query.isFetching) }
}

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { DatasetPreview } from '../../../shared/core/contracts/dataset-preview.ts'
import { api } from '../../service/api.ts'
import { useDebounced } from '../../service/use-debounced.ts'
import { type DatasetDraft, hasSources } from './dataset-draft.ts'

export interface Preview {
  data: DatasetPreview | undefined
  error: unknown
  isOld: boolean
  ask: () => void
}

export function usePreview({ name: _, ...draft }: DatasetDraft): Preview {
  const text = JSON.stringify(draft)
  const asked = useDebounced(text, 500)
  const isComplete = hasSources(draft) && hasSources(JSON.parse(asked) as DatasetDraft)
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: ['dataset-preview', asked],
    queryFn: ({ signal }) => api.previewDataset(JSON.parse(asked) as DatasetDraft, signal),
    enabled: isComplete,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    staleTime: 30_000,
  })
  const isOld = text !== asked || isPlaceholderData || isFetching
  return {
    data: isComplete ? data : undefined,
    error: isComplete ? error : null,
    isOld,
    ask: () => void refetch(),
  }
}

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { Tree } from '../../../shared/core/contracts/tree.ts'
import { api } from '../../service/api.ts'
import type { Colouring } from '../../tree/colouring.ts'
import { modelColouring } from '../../tree/model-colouring.ts'

// The colours of models; null until they are chosen and the calls of the episode are read.
export function useModels(run: string, episode: string, tree: Tree, isLive: boolean): Colouring | null {
  const [params] = useSearchParams()
  const calls = useQuery({
    queryKey: ['calls', run, episode],
    queryFn: () => api.calls(run, episode),
    enabled: params.get('colour') === 'model',
    refetchInterval: isLive ? 10_000 : false,
    staleTime: isLive ? 0 : Number.POSITIVE_INFINITY,
  })
  return useMemo(
    () => (calls.data === undefined ? null : modelColouring(tree, calls.data.calls)),
    [calls.data, tree],
  )
}

import { useQuery } from '@tanstack/react-query'
import type { EpisodeCredit } from '../../../shared/core/contracts/rollout-figures.ts'
import { api } from '../../service/api.ts'
import { runQuery } from '../../service/run-query.ts'

/** The advantages and entropies that may colour a tree; undefined: the episode has none, or not yet. */
export function useCredit(run: string, episode: string, isLive: boolean): EpisodeCredit | undefined {
  const { data } = useQuery(runQuery(run))
  const mayHave = data?.rollout !== undefined || data?.request.record === 'tokens'
  const credit = useQuery({
    queryKey: ['credit', run, episode],
    queryFn: () => api.credit(run, episode),
    enabled: mayHave && !isLive,
    retry: false,
  })
  return credit.data
}

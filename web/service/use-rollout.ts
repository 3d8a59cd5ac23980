import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import type { RolloutRun } from '../../shared/core/contracts/rollout.ts'
import { api } from './api.ts'
import { followRollout } from './follow-rollout.ts'
import { hasEnded } from './follow-run.ts'
import { useLive } from './use-live.ts'

/** Follows a rollout until its end: events update the rollout and its figures. Pass the rollout down. */
export function useRollout(id: string): UseQueryResult<RolloutRun> {
  const queryClient = useQueryClient()
  const queryKey = ['rollout', id]
  const rollout = useQuery({ queryKey, queryFn: () => api.rollout(id) })
  useLive(queryKey, rollout.isSuccess && !hasEnded(rollout.data), (signal) =>
    followRollout(id, { api, queryClient, signal }),
  )
  return rollout
}

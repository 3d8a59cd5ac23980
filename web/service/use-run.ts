import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Run } from '../../shared/core/contracts/run.ts'
import { api } from './api.ts'
import { followRun, hasEnded } from './follow-run.ts'
import { runQuery } from './run-query.ts'
import { useLive } from './use-live.ts'

/** Follows a run until its end: events update the run, its episodes and its report. Pass the run down. */
export function useRun(id: string): UseQueryResult<Run> {
  const queryClient = useQueryClient()
  const query = runQuery(id)
  const run = useQuery(query)
  useLive(query.queryKey, run.isSuccess && !hasEnded(run.data), (signal) =>
    followRun(id, { api, queryClient, signal }),
  )
  return run
}

import type { QueryClient } from '@tanstack/react-query'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import type { RolloutRun } from '../../shared/core/contracts/rollout.ts'
import { createPaced } from './follow-run.ts'

const figuresPauseMilliseconds = 2000

/**
 * Keeps the current state of a rollout in the cache, and refetches its figures as groups end.
 *
 * @throws ApiError if the service refuses
 */
export async function followRollout(
  id: string,
  {
    api,
    queryClient,
    signal,
  }: { api: Pick<ApiClient, 'rolloutEvents'>; queryClient: QueryClient; signal: AbortSignal },
): Promise<void> {
  const figures = createPaced(
    () => void queryClient.invalidateQueries({ queryKey: ['rollout-figures', id] }, { cancelRefetch: false }),
  )
  // The figures have the groups that ended before: the stream sends only the state, and later groups.
  const after = queryClient.getQueryData<RolloutRun>(['rollout', id])?.groups.finished ?? 0
  try {
    for await (const message of api.rolloutEvents(id, {
      signal,
      after,
      patience: Number.POSITIVE_INFINITY,
    })) {
      if ('end' in message) break
      if ('rollout' in message) queryClient.setQueryData(['rollout', id], message.rollout)
      figures.wish(figuresPauseMilliseconds)
    }
    figures.flush()
  } finally {
    figures.stop()
  }
}

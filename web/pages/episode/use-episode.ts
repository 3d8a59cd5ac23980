import { useQuery } from '@tanstack/react-query'
import { api } from '../../service/api.ts'
import { runQuery } from '../../service/run-query.ts'
import { isLive, liveInterval } from './is-live.ts'

export function useEpisode(run: string, episode: string) {
  const isPaused = useIsPaused(run)
  const found = useQuery({
    queryKey: ['episode', run, episode],
    queryFn: () => api.episode(run, episode),
    refetchInterval: ({ state }) => (state.data && isLive(state.data) && !isPaused ? liveInterval : false),
  })
  return { found, isPaused }
}

export function useIsPaused(run: string): boolean {
  const { data } = useQuery({ ...runQuery(run), select: ({ status }) => status === 'paused' })
  return data ?? false
}

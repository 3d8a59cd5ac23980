import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

export function useHoldsSessions(): boolean | undefined {
  const health = useQuery({
    queryKey: ['health', 'sessions'],
    queryFn: () => api.health(),
    staleTime: 5 * 60_000,
  })
  return health.data && health.data.sessions === true
}

import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

export function useExperiments() {
  return useQuery({
    queryKey: ['experiments'],
    queryFn: async () => (await api.experiments({ limit: 1000 })).data,
    staleTime: 5000,
  })
}

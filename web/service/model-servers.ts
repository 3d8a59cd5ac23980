import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

export function useModelServers() {
  return useQuery({
    queryKey: ['model-servers'],
    queryFn: async () => (await api.modelServers()).data,
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ state }) => state === 'starting') === true ? 1500 : data?.length ? 10_000 : false,
  })
}

import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

/** The endpoints with their configuration, which only the operator may read. */
export function useEndpointDetails() {
  return useQuery({ queryKey: ['endpoints'], queryFn: async () => (await api.endpoints()).data })
}

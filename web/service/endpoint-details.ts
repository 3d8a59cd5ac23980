import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

export function useEndpointDetails() {
  return useQuery({ queryKey: ['endpoints'], queryFn: async () => (await api.endpoints()).data })
}

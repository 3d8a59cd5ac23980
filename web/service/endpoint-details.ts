import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

/** The endpoints with how they are configured, which the operator alone may see. */
export function useEndpointDetails() {
  return useQuery({ queryKey: ['endpoints'], queryFn: async () => (await api.endpoints()).data })
}

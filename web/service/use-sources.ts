import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

const offered = 500

export function useSources() {
  const runs = useQuery({
    queryKey: ['runs', { limit: offered }],
    queryFn: () => api.runs({ limit: offered }),
  })
  const imports = useQuery({
    queryKey: ['trajectories', { limit: offered }],
    queryFn: () => api.imports({ limit: offered }),
  })
  return { runs, imports }
}

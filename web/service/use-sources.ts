import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

/** As many as the newest are offered; others are named by their ids. */
const offered = 500

/** The newest runs and imports, which rows can be made from. */
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

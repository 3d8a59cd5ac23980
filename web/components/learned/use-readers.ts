import { useQuery } from '@tanstack/react-query'
import type { Run } from '../../../shared/contracts/run.ts'
import { api } from '../../service/api.ts'

/** Runs that are looked at: the newest of the environment. */
const most = 200

interface Learned {
  id: string
  environment: string
  parameter: 'library' | 'memory_from'
}

/** The runs that were given a memory or a library to begin with, newest first. */
export function useReaders({ environment, id, parameter }: Learned): Run[] {
  const runs = useQuery({
    queryKey: ['runs', { environment }, 'newest'],
    queryFn: () => api.runs({ environment, limit: most }),
    staleTime: 30_000,
  })
  return (runs.data?.data ?? []).filter(({ request }) => request.method[parameter] === id)
}

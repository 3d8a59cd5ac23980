import { useQuery } from '@tanstack/react-query'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { api } from '../../service/api.ts'

const most = 200

interface Learned {
  id: string
  environment: string
  parameter: 'library' | 'memory_from'
}

export function useReaders({ environment, id, parameter }: Learned): Run[] {
  const runs = useQuery({
    queryKey: ['runs', { environment }, 'newest'],
    queryFn: () => api.runs({ environment, limit: most }),
    staleTime: 30_000,
  })
  return (runs.data?.data ?? []).filter(({ request }) => request.method[parameter] === id)
}

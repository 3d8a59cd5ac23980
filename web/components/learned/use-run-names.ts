import { useQuery } from '@tanstack/react-query'
import { api } from '../../service/api.ts'

/** Runs whose names are looked up at once: the newest. */
const most = 200

/** What the newest runs are called, by their ids; those without a name are left out. */
export function useRunNames(): ReadonlyMap<string, string> {
  const runs = useQuery({
    queryKey: ['runs', {}, 'newest'],
    queryFn: () => api.runs({ limit: most }),
    staleTime: 30_000,
  })
  return new Map(
    (runs.data?.data ?? []).flatMap(({ id, request }) => (request.name ? [[id, request.name]] : [])),
  )
}

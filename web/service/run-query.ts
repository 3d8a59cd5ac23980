import { api } from './api.ts'

/** Reads a run once. `useRun` follows one; both share a cache key. */
export function runQuery(id: string) {
  return { queryKey: ['run', id], queryFn: () => api.run(id) }
}

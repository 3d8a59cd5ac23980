import { api } from './api.ts'

/** Asks for a run as it is now. One that is to be followed is had by `useRun`; both keep it in the same place. */
export function runQuery(id: string) {
  return { queryKey: ['run', id], queryFn: () => api.run(id) }
}

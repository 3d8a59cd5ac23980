import { api } from './api.ts'

export function runQuery(id: string) {
  return { queryKey: ['run', id], queryFn: () => api.run(id) }
}

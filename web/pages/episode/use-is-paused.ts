import { useQuery } from '@tanstack/react-query'
import { runQuery } from '../../service/run-query.ts'

export function useIsPaused(run: string): boolean {
  const { data } = useQuery({ ...runQuery(run), select: ({ status }) => status === 'paused' })
  return data ?? false
}

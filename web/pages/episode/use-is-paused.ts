import { useQuery } from '@tanstack/react-query'
import { runQuery } from '../../service/run-query.ts'

/** Whether a run is known to be paused: none of its episodes changes until it is resumed. */
export function useIsPaused(run: string): boolean {
  const { data } = useQuery({ ...runQuery(run), select: ({ status }) => status === 'paused' })
  return data ?? false
}

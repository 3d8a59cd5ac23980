import { useQuery } from '@tanstack/react-query'
import { runQuery } from '../../service/run-query.ts'

/** True if a run is known to be paused. None of its episodes changes until it resumes. */
export function useIsPaused(run: string): boolean {
  const { data } = useQuery({ ...runQuery(run), select: ({ status }) => status === 'paused' })
  return data ?? false
}

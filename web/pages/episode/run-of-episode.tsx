import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { Notice } from '../../components/notice.tsx'
import { runAddress } from '../../format/addresses.ts'
import { useRun } from '../../service/use-run.ts'

/** Follows the run of an episode that has not ended, and says where it is paused. */
export function RunOfEpisode({ run: id }: { run: string }) {
  const queryClient = useQueryClient()
  const run = useRun(id).data
  const isPaused = run?.status === 'paused'
  const counts = JSON.stringify(run?.episodes)

  // What was on its way when the run was paused may still come to its end.
  useEffect(() => {
    if (isPaused && counts !== undefined) void queryClient.invalidateQueries({ queryKey: ['episode', id] })
  }, [queryClient, id, isPaused, counts])

  if (!isPaused) return null
  return (
    <Notice isSpaced tone="warn">
      <p>
        Its <Link to={runAddress(id)}>run</Link> is paused: nothing happens here until that is resumed.
      </p>
    </Notice>
  )
}

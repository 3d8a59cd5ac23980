import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError } from '../../shared/core/client/api-error.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { api } from './api.ts'
import { followRun, hasEnded } from './follow-run.ts'
import { runQuery } from './run-query.ts'
import { createStore, useStore } from './store.ts'

/** Milliseconds until a refused stream is retried, while the run itself is still readable. */
const pause = 5000

/**
 * Follows a run. While the page is visible and the run has not ended, events update the run, its episodes and its
 * report. Use it once per page and pass the run down: each use holds a connection, and browsers allow few.
 */
export function useRun(id: string): UseQueryResult<Run> {
  const queryClient = useQueryClient()
  const isSeen = useStore(pageVisibility) === 'visible'
  const run = useQuery(runQuery(id))
  const isLive = isSeen && run.isSuccess && !hasEnded(run.data)

  useEffect(() => {
    if (!isLive) return
    const gone = new AbortController()
    const { signal } = gone

    async function follow() {
      try {
        await followRun(id, { api, queryClient, signal })
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        // The query gets the same refusal as the stream; it shows the refusal and ends this loop.
        await queryClient.invalidateQueries({ queryKey: ['run', id] })
        if (!signal.aborted) timer = setTimeout(() => void follow(), pause)
      }
    }
    let timer = setTimeout(() => void follow(), 0)
    return () => {
      clearTimeout(timer)
      gone.abort()
    }
  }, [id, isLive, queryClient])

  return run
}

const pageVisibility = createStore<DocumentVisibilityState>(document.visibilityState)

document.addEventListener('visibilitychange', () => pageVisibility.set(document.visibilityState))

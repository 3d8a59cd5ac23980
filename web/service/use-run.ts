import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError } from '../../shared/client/api-error.ts'
import type { Run } from '../../shared/contracts/run.ts'
import { api } from './api.ts'
import { followRun, hasEnded } from './follow-run.ts'
import { runQuery } from './run-query.ts'
import { createStore, useStore } from './store.ts'

/** Milliseconds until a refused stream is tried again, as long as the run itself can be read. */
const pause = 5000

/**
 * A run, live: while it can be seen and has not ended, its events keep it, its episodes and its report up to date. Use it once on a
 * page and hand the run down, since each use holds a connection, of which browsers allow few.
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
        // What is refused to the stream is refused to the query as well, which shows it and ends this.
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

/** Whether the page can be seen: a tab in the background needs nothing new. */
const pageVisibility = createStore<DocumentVisibilityState>(document.visibilityState)

document.addEventListener('visibilitychange', () => pageVisibility.set(document.visibilityState))

import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { ApiError } from '../../shared/core/client/api-error.ts'
import { createStore, useStore } from './store.ts'

/** Milliseconds until a refused stream is retried, while the object itself is still readable. */
const pause = 5000

/**
 * Follows an event stream while the page is visible. Use it once per page: each use holds a connection, and browsers
 * allow few.
 *
 * @param queryKey - of the object, which gets the same refusal as the stream and shows it
 * @param follow - ends with the object, or when the signal aborts. @throws ApiError if the service refuses
 */
export function useLive(
  queryKey: QueryKey,
  isLive: boolean,
  follow: (signal: AbortSignal) => Promise<void>,
): void {
  const queryClient = useQueryClient()
  const isSeen = useStore(pageVisibility) === 'visible'
  const newest = useRef({ follow, queryKey })
  newest.current = { follow, queryKey }
  const id = JSON.stringify(queryKey)

  useEffect(() => {
    // The object of another page ends the stream of this one.
    if (!(isLive && isSeen) || id === '') return
    const gone = new AbortController()
    const { signal } = gone

    async function followAgain() {
      try {
        await newest.current.follow(signal)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        await queryClient.invalidateQueries({ queryKey: newest.current.queryKey })
        if (!signal.aborted) timer = setTimeout(() => void followAgain(), pause)
      }
    }
    let timer = setTimeout(() => void followAgain(), 0)
    return () => {
      clearTimeout(timer)
      gone.abort()
    }
  }, [id, isLive, isSeen, queryClient])
}

const pageVisibility = createStore<DocumentVisibilityState>(document.visibilityState)

document.addEventListener('visibilitychange', () => pageVisibility.set(document.visibilityState))

import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../../shared/core/client/api-error.ts'
import { connection } from './connection.ts'
import { sessionKey } from './session-key.ts'

const mostRetries = 2

/**
 * The page's cache. It does not retry refused requests. While the service is unreachable, the page shows cached data
 * and refetches everything once the service answers.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      staleTime: 2000,
      refetchOnWindowFocus: true,
      retry: (failures, error) => error instanceof ApiError && error.status >= 500 && failures < mostRetries,
    },
    mutations: { networkMode: 'always' },
  },
})

connection.subscribe(() => {
  if (connection.get() === 'connected') void queryClient.invalidateQueries()
})

sessionKey.subscribe(() => void queryClient.resetQueries())

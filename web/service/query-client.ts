import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../../shared/client/api-error.ts'
import { connection } from './connection.ts'
import { sessionKey } from './session-key.ts'

const mostRetries = 2

/**
 * What the page knows of the service. What it refuses is not asked again; while no service answers the page shows what it has,
 * and asks for all of it again as soon as one does.
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

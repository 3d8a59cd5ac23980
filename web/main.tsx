import './design/tokens.css'
import './design/base.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { ApiError } from '../shared/core/client/api-error.ts'
import { router } from './router.tsx'
import { connection } from './service/connection.ts'
import { watchLeaving } from './service/leaving.ts'
import { sessionKey } from './service/session-key.ts'

const mostRetries = 2

/**
 * The page's cache. It does not retry refused requests. While the service is unreachable, the page shows cached data
 * and refetches everything once the service answers.
 */
const queryClient = new QueryClient({
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

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id "root".')

watchLeaving(router)
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)

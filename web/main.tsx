import './design/tokens.css'
import './design/base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { router } from './router.tsx'
import { watchLeaving } from './service/leaving.ts'
import { queryClient } from './service/query-client.ts'

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

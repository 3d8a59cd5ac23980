import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from './error-state.tsx'
import { LoadingState } from './loading-state.tsx'

/**
 * A query's data, its loading state, or its error. Loaded data stays visible while the query refetches, even if the
 * refetch fails.
 *
 * @example
 * <Loaded what="the run" query={run}>{(found) => <h1>{found.id}</h1>}</Loaded>
 */
export function Loaded<Data>({
  what,
  query,
  children,
}: {
  what: string
  query: UseQueryResult<Data>
  children: (data: Data) => ReactNode
}) {
  if (query.data !== undefined) return <>{children(query.data)}</>
  if (query.error !== null) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return <LoadingState what={what} />
}

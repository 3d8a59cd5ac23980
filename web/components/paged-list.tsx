import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { List } from '../../shared/contracts/list.ts'
import { pageAfterPage } from '../service/page-after-page.ts'
import { Loaded } from './loaded.tsx'
import { ShowMore } from './show-more.tsx'

const pageSize = 50

/** A list of the service with a button that shows more of it; while something of it changes, it is read again. */
export function PagedList<Item>({
  what,
  queryKey,
  ask,
  isChanging = () => false,
  empty,
  children,
}: {
  /** The word for what is listed: `loops`. */
  what: string
  queryKey: readonly string[]
  ask: (query: { limit: number; after?: string }) => Promise<List<Item>>
  isChanging?: (item: Item) => boolean
  /** What stands where there is none. */
  empty: ReactNode
  children: (items: readonly Item[]) => ReactNode
}) {
  const query = useInfiniteQuery({
    queryKey,
    ...pageAfterPage((from) => ask({ limit: pageSize, ...from })),
    refetchInterval: ({ state: { data } }) => {
      const pages = data?.pages ?? []
      // Every page is read again: many of them less often.
      return pages.some((page) => page.data.some(isChanging)) && 2000 * Math.max(1, pages.length / 4)
    },
  })
  return (
    <>
      <Loaded what={`the ${what}`} query={query}>
        {({ pages }) => {
          const items = pages.flatMap(({ data }) => data)
          return items.length === 0 ? empty : children(items)
        }}
      </Loaded>
      <ShowMore query={query} />
    </>
  )
}

import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { List } from '../../shared/core/contracts/list.ts'
import { pageAfterPage } from '../service/page-after-page.ts'
import { sortedPage } from './list/list-order.ts'
import { SortedNote } from './list/sorted-note.tsx'
import { useShownPart } from './list/use-shown-part.ts'
import { Loaded } from './loaded.tsx'
import { ShowMore } from './show-more.tsx'

const pageSize = 50

export function PagedList<Item>({
  what,
  queryKey,
  ask,
  isChanging = () => false,
  arrange,
  empty,
  children,
}: {
  what: string
  queryKey: readonly string[]
  ask: (query: { limit: number; after?: string }) => Promise<List<Item>>
  isChanging?: (item: Item) => boolean
  arrange?: ((items: readonly Item[]) => readonly Item[]) | undefined
  empty: ReactNode
  children: (items: readonly Item[]) => ReactNode
}) {
  const limit = arrange === undefined ? pageSize : sortedPage
  const query = useInfiniteQuery({
    queryKey: [...queryKey, limit],
    ...pageAfterPage((from) => ask({ limit, ...from })),
    refetchInterval: ({ state: { data } }) => {
      const pages = data?.pages ?? []
      const count = pages.reduce((sum, page) => sum + page.data.length, 0)
      // Each refetch reads every loaded page, so poll less often if there are many.
      return pages.some((page) => page.data.some(isChanging)) && 2000 * Math.max(1, count / (4 * pageSize))
    },
  })
  const items = query.data?.pages.flatMap(({ data }) => data) ?? []
  const { more, shown } = useShownPart(items.length, query)
  return (
    <>
      {arrange !== undefined && query.hasNextPage && <SortedNote count={items.length} />}
      <Loaded what={`the ${what}`} query={query}>
        {() => {
          if (items.length === 0) return empty
          return children(arrange === undefined ? items : arrange(items).slice(0, shown))
        }}
      </Loaded>
      <ShowMore query={arrange === undefined ? query : more} />
    </>
  )
}

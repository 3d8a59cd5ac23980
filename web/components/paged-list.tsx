import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { List } from '../../shared/core/contracts/list.ts'
import { pageAfterPage } from '../service/page-after-page.ts'
import { Loaded } from './loaded.tsx'
import { ShowMore } from './show-more.tsx'

const pageSize = 50

export function PagedList<Item>({
  what,
  queryKey,
  ask,
  isChanging = () => false,
  empty,
  children,
}: {
  what: string
  queryKey: readonly string[]
  ask: (query: { limit: number; after?: string }) => Promise<List<Item>>
  isChanging?: (item: Item) => boolean
  empty: ReactNode
  children: (items: readonly Item[]) => ReactNode
}) {
  const query = useInfiniteQuery({
    queryKey,
    ...pageAfterPage((from) => ask({ limit: pageSize, ...from })),
    refetchInterval: ({ state: { data } }) => {
      const pages = data?.pages ?? []
      // Each refetch reads every loaded page, so poll less often if there are many.
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

import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Library } from '../../../shared/contracts/library.ts'
import type { List } from '../../../shared/contracts/list.ts'
import type { Memory } from '../../../shared/contracts/memory.ts'
import { pageAfterPage } from '../../service/page-after-page.ts'
import { Loaded } from '../loaded.tsx'
import { ShowMore } from '../show-more.tsx'
import styles from './learned.module.css'
import { LearnedTable } from './learned-table.tsx'

const pageSize = 50

/** Memories or libraries, newest first, as many as were asked for. */
export function LearnedList({
  what,
  read,
  addressOf,
  empty,
}: {
  what: 'memories' | 'libraries'
  read: (page: { limit: number; after?: string }) => Promise<List<Memory | Library>>
  addressOf: (id: string) => string
  /** The text where there are none. */
  empty: ReactNode
}) {
  const query = useInfiniteQuery({
    queryKey: [what],
    ...pageAfterPage((from) => read({ limit: pageSize, ...from })),
  })
  return (
    <div className={styles.learnedList}>
      <Loaded what={`the ${what}`} query={query}>
        {({ pages }) => {
          const items = pages.flatMap(({ data }) => data)
          return items.length === 0 ? empty : <LearnedTable what={what} items={items} addressOf={addressOf} />
        }}
      </Loaded>
      <ShowMore query={query} />
    </div>
  )
}

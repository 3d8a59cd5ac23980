import type { ReactNode } from 'react'
import type { Library } from '../../../shared/core/contracts/library.ts'
import type { List } from '../../../shared/core/contracts/list.ts'
import type { Memory } from '../../../shared/core/contracts/memory.ts'
import { PagedList } from '../paged-list.tsx'
import styles from './learned.module.css'
import { LearnedTable } from './learned-table.tsx'

export function LearnedList({
  what,
  read,
  addressOf,
  empty,
}: {
  what: 'memories' | 'libraries'
  read: (page: { limit: number; after?: string }) => Promise<List<Memory | Library>>
  addressOf: (id: string) => string
  empty: ReactNode
}) {
  return (
    <div className={styles.learnedList}>
      <PagedList what={what} queryKey={[what]} ask={read} empty={empty}>
        {(items) => <LearnedTable what={what} items={items} addressOf={addressOf} />}
      </PagedList>
    </div>
  )
}

import { Plus } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import type { List } from '../../shared/core/contracts/list.ts'
import { useAddress } from '../service/use-address.ts'
import { LinkButton } from './button.tsx'
import { CommandExample } from './command-example.tsx'
import { EmptyState } from './empty-state.tsx'
import { columnId, type ListedColumn } from './list/column-view.ts'
import { ColumnsMenu } from './list/columns-menu.tsx'
import styles from './list/list.module.css'
import { ListHead, sizedTable } from './list/list-head.tsx'
import {
  isNewestFirst,
  newestFirst,
  orderAfter,
  readOrder,
  type SortValue,
  sortEntries,
  writeOrder,
} from './list/list-order.ts'
import { useColumns } from './list/use-columns.ts'
import { ViewsMenu } from './list/views-menu.tsx'
import { NameCell } from './name-cell.tsx'
import { PageHeader } from './page-header.tsx'
import { PagedList } from './paged-list.tsx'
import tableStyles from './table.module.css'
import { Table } from './table.tsx'
import { TimeAgo } from './time-ago.tsx'

interface ListedEntry {
  id: string
  name?: string | null
  created_at: string
}

export interface ListColumn<Entry> {
  title: string
  isNumber?: boolean
  width?: number
  sort: (entry: Entry) => SortValue
  cell: (entry: Entry) => ReactNode
}

interface ShownColumn<Entry> extends ListedColumn {
  sort: (entry: Entry) => SortValue
  cell: (entry: Entry) => ReactNode
}

const usualWidth = 10

export function ListPage<Entry extends ListedEntry>({
  entry,
  lead,
  ask,
  isChanging,
  addressOf,
  columns,
  verb,
  command,
  children,
}: {
  /** The word for one entry; its plural names the list in the API and in addresses. */
  entry: string
  lead: string
  ask: (query: { limit: number; after?: string }) => Promise<List<Entry>>
  isChanging: (entry: Entry) => boolean
  addressOf: (id: string) => string
  columns: readonly ListColumn<Entry>[]
  verb?: 'Begin' | 'Build'
  command: string
  children: ReactNode
}) {
  const name = `${entry}s`
  const title = capitalise(name)
  const button = (label: ReactNode) => (
    <LinkButton kind="primary" to={`/${name}/new`}>
      {label}
    </LinkButton>
  )
  const header = button(
    <>
      <Plus size={16} aria-hidden /> New {entry}
    </>,
  )
  const empty = (
    <EmptyState title={`No ${name} yet`} action={verb && button(`${verb} the first`)}>
      <p>{children} On the command line:</p>
      <CommandExample
        label={`${verb ?? 'Begin'} a ${entry} on the command line`}
        text={`${command} --service ${location.origin}`}
      />
    </EmptyState>
  )
  const all: readonly ShownColumn<Entry>[] = [
    {
      name: capitalise(entry),
      isKept: true,
      width: 18,
      sort: ({ id, name: given }) => given ?? id,
      cell: (each) => <NameCell id={each.id} name={each.name ?? null} to={addressOf(each.id)} />,
    },
    ...columns.map(({ title: heading, width = usualWidth, ...column }) => ({
      ...column,
      name: heading,
      width,
      cell: (each: Entry) => <td className={column.isNumber ? 'number' : undefined}>{column.cell(each)}</td>,
    })),
    {
      name: 'Created',
      width: 8,
      sort: ({ created_at }) => created_at,
      cell: (each) => (
        <td className={tableStyles.createdCell}>
          <TimeAgo at={each.created_at} />
        </td>
      ),
    },
  ]
  return (
    <>
      <PageHeader title={title} tab={title} lead={lead} actions={verb && header} />
      <SortedList what={name} label={title} columns={all} ask={ask} isChanging={isChanging} empty={empty} />
    </>
  )
}

function SortedList<Entry extends ListedEntry>({
  what,
  label,
  columns,
  ask,
  isChanging,
  empty,
}: {
  what: string
  label: string
  columns: readonly ShownColumn<Entry>[]
  ask: (query: { limit: number; after?: string }) => Promise<List<Entry>>
  isChanging: (entry: Entry) => boolean
  empty: ReactNode
}) {
  const [address, change] = useAddress()
  const order = readOrder(address, columns.map(columnId))
  const shown = useColumns(columns)
  const sorting = isNewestFirst(order) ? undefined : columns.find((each) => columnId(each) === order.sort)
  return (
    <PagedList
      what={what}
      queryKey={[what]}
      ask={ask}
      isChanging={isChanging}
      arrange={sorting && ((found) => sortEntries(found, sorting.sort, order.order))}
      empty={empty}
    >
      {(found) => (
        <>
          <div className={styles.tools}>
            <ColumnsMenu columns={columns} />
            <ViewsMenu list={what} />
          </div>
          <Table isFramed label={label} {...sizedTable(shown.sizes)}>
            <ListHead
              columns={shown}
              sorted={order}
              sortOf={columnId}
              onSort={(column) => {
                const isGreatestFirst = column.isNumber === true || columnId(column) === newestFirst.sort
                change((now) => writeOrder(now, orderAfter(order, columnId(column), isGreatestFirst)))
              }}
            />
            <tbody>
              {found.map((each) => (
                <tr key={each.id}>
                  {shown.shown.map(({ cell, name }) => (
                    <Fragment key={name}>{cell(each)}</Fragment>
                  ))}
                </tr>
              ))}
            </tbody>
          </Table>
        </>
      )}
    </PagedList>
  )
}

function capitalise(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}

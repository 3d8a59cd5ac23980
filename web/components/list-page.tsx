import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { List } from '../../shared/core/contracts/list.ts'
import { LinkButton } from './button.tsx'
import { Column } from './column.tsx'
import { CommandExample } from './command-example.tsx'
import { EmptyState } from './empty-state.tsx'
import { NameCell } from './name-cell.tsx'
import { PageHeader } from './page-header.tsx'
import { PagedList } from './paged-list.tsx'
import styles from './table.module.css'
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
  cell: (entry: Entry) => ReactNode
}

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
  /** Absent if the dashboard has no form for a new one. */
  verb?: 'Begin' | 'Build'
  /** Of the command line, without the address of the service. */
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
  return (
    <>
      <PageHeader title={title} tab={title} lead={lead} actions={verb && header} />
      <PagedList what={name} queryKey={[name]} ask={ask} isChanging={isChanging} empty={empty}>
        {(found) => (
          <Table isFramed label={title}>
            <thead>
              <tr>
                <Column>{capitalise(entry)}</Column>
                {columns.map((column) => (
                  <Column key={column.title} isNumber={column.isNumber ?? false}>
                    {column.title}
                  </Column>
                ))}
                <Column>Created</Column>
              </tr>
            </thead>
            <tbody>
              {found.map((each) => (
                <tr key={each.id}>
                  <NameCell id={each.id} name={each.name ?? null} to={addressOf(each.id)} />
                  {columns.map(({ cell, isNumber, title }) => (
                    <td key={title} className={isNumber ? 'number' : undefined}>
                      {cell(each)}
                    </td>
                  ))}
                  <td className={styles.createdCell}>
                    <TimeAgo at={each.created_at} />
                  </td>
                </tr>
              ))}
            </tbody>
          </Table>
        )}
      </PagedList>
    </>
  )
}

function capitalise(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}

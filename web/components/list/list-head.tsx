import { ArrowDown, ArrowUp } from 'lucide-react'
import type { CSSProperties, PointerEvent } from 'react'
import { clampWidth, columnId, type ListedColumn } from './column-view.ts'
import styles from './list.module.css'
import type { Columns } from './use-columns.ts'

// The look of a table whose columns have widths of their own: a last, empty column takes the remaining room.
export function sizedTable(sizes: readonly number[] | null): { className: string; style: CSSProperties } {
  if (sizes === null) return { className: '', style: {} }
  const width = sizes.reduce((sum, size) => sum + size, 0)
  return { className: styles.sized ?? '', style: { width: `${width}px`, minWidth: '100%' } }
}

export function ListHead<Column extends ListedColumn>({
  columns,
  sorted,
  sortOf,
  onSort,
  usualWidth,
  rowIndex,
}: {
  columns: Columns<Column>
  sorted: { sort: string; order: 'asc' | 'desc' }
  sortOf: (column: Column) => string | undefined
  onSort: (column: Column) => void
  usualWidth?: (column: Column) => string
  rowIndex?: number
}) {
  const { shown, sizes } = columns
  return (
    <>
      {(sizes !== null || usualWidth !== undefined) && (
        <colgroup>
          {shown.map((column, at) => (
            <col
              key={column.name}
              style={{ width: sizes === null ? usualWidth?.(column) : `${sizes[at]}px` }}
            />
          ))}
          {sizes !== null && <col />}
        </colgroup>
      )}
      <thead>
        <tr aria-rowindex={rowIndex}>
          {shown.map((column) => (
            <Head
              key={column.name}
              column={column}
              columns={columns}
              sort={sortOf(column)}
              sorted={sorted}
              onSort={() => onSort(column)}
            />
          ))}
        </tr>
      </thead>
    </>
  )
}

function Head<Column extends ListedColumn>({
  column,
  columns,
  sort,
  sorted,
  onSort,
}: {
  column: Column
  columns: Columns<Column>
  sort: string | undefined
  sorted: { sort: string; order: 'asc' | 'desc' }
  onSort: () => void
}) {
  const { hint, isNumber, isUnseen, name } = column
  const isSorted = sort !== undefined && sorted.sort === sort
  const Arrow = sorted.order === 'asc' ? ArrowUp : ArrowDown
  const direction = sorted.order === 'asc' ? 'ascending' : 'descending'
  return (
    <th
      scope="col"
      className={isNumber ? `number ${styles.head}` : styles.head}
      title={sort === undefined ? hint : undefined}
      aria-sort={sort === undefined ? undefined : isSorted ? direction : 'none'}
    >
      {sort === undefined ? (
        <span className={isUnseen ? 'visually-hidden' : undefined}>{name}</span>
      ) : (
        <button type="button" className={styles.sort} title={hint} onClick={onSort}>
          {name}
          <span className={styles.arrow}>{isSorted && <Arrow size={14} aria-hidden />}</span>
        </button>
      )}
      {!isUnseen && <Handle column={column} columns={columns} />}
    </th>
  )
}

// The right rim of a heading, to drag. The menu of the columns has the same for the keyboard.
function Handle<Column extends ListedColumn>({
  column,
  columns: { change, drag, shown, view },
}: {
  column: Column
  columns: Columns<Column>
}) {
  const id = columnId(column)
  function begin(event: PointerEvent<HTMLSpanElement>) {
    const handle = event.currentTarget
    const heads = [...(handle.closest('tr')?.children ?? [])]
    // The other columns keep the widths that they have on the screen.
    const seen = shown.map(
      (each, at) => [columnId(each), clampWidth(heads[at]?.getBoundingClientRect().width ?? 0)] as const,
    )
    const before = new Map([...view.widths, ...seen])
    const from = event.clientX
    const widthsAt = (x: number) => new Map(before).set(id, clampWidth((before.get(id) ?? 0) + x - from))
    event.preventDefault()
    handle.setPointerCapture(event.pointerId)
    handle.onpointermove = ({ clientX }) => drag(widthsAt(clientX))
    handle.onpointerup = ({ clientX }) => {
      handle.onpointermove = null
      handle.onpointerup = null
      if (clientX !== from) change({ widths: widthsAt(clientX) })
    }
  }
  return <span className={styles.handle} data-resizes={id} aria-hidden onPointerDown={begin} />
}

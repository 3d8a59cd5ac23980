import { ArrowDown, ArrowUp } from 'lucide-react'
import { type EpisodeColumn, leastWidth } from './episode-columns.tsx'
import { type EpisodeView, sortedBy } from './episode-view.ts'
import styles from './episodes.module.css'

export function EpisodeHead({
  columns,
  view,
  onView,
}: {
  columns: readonly EpisodeColumn[]
  view: EpisodeView
  onView: (view: EpisodeView) => void
}) {
  const whole = leastWidth(columns)
  return (
    <>
      <colgroup>
        {columns.map(({ name, width }) => (
          <col key={name} style={{ width: `${(width / whole) * 100}%` }} />
        ))}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {columns.map((column) => (
            <Head key={column.name} column={column} view={view} onView={onView} />
          ))}
        </tr>
      </thead>
    </>
  )
}

function Head({
  column: { hint, isNumber, name, sort },
  view,
  onView,
}: {
  column: EpisodeColumn
  view: EpisodeView
  onView: (view: EpisodeView) => void
}) {
  const className = isNumber ? 'number' : undefined
  if (sort === undefined) {
    return (
      <th scope="col" className={className} title={hint}>
        {name}
      </th>
    )
  }
  const isSorted = view.sort === sort
  const Arrow = view.order === 'asc' ? ArrowUp : ArrowDown
  return (
    <th
      scope="col"
      className={className}
      aria-sort={!isSorted ? 'none' : view.order === 'asc' ? 'ascending' : 'descending'}
    >
      <button
        type="button"
        className={styles.sortButton}
        title={hint}
        onClick={() => onView(sortedBy(view, sort))}
      >
        {name}
        <span className={styles.sortArrow}>{isSorted && <Arrow size={14} aria-hidden />}</span>
      </button>
    </th>
  )
}

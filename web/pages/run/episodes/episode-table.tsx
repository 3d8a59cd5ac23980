import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, type RefObject, useEffect, useRef } from 'react'
import type { Episode } from '../../../../shared/core/contracts/episode.ts'
import { ListHead, sizedTable } from '../../../components/list/list-head.tsx'
import { useColumns } from '../../../components/list/use-columns.ts'
import { type EpisodeColumn, leastWidth } from './episode-columns.tsx'
import type { EpisodeRows } from './episode-rows.ts'
import { type EpisodeView, sortedBy } from './episode-view.ts'
import styles from './episodes.module.css'

/** In pixels. It must equal the style sheet's height, so that nothing is measured. */
const rowHeight = 36
const overscan = 12

export function EpisodeTable({
  columns,
  view,
  onView,
  rows: { count, isBusy, onRange, rowAt, rowCount },
}: {
  columns: readonly EpisodeColumn[]
  view: EpisodeView
  onView: (view: EpisodeView) => void
  rows: EpisodeRows
}) {
  const frame = useRef<HTMLElement>(null)
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan,
  })
  const items = virtual.getVirtualItems()
  const first = items[0]
  const last = items.at(-1)
  const [from, to] = [first?.index ?? 0, last?.index ?? 0]
  useEffect(() => onRange(from, to), [onRange, from, to])
  useScrollToTop(frame, view)
  const listed = useColumns(columns)
  const { shown, sizes } = listed
  const whole = leastWidth(shown)
  const sized = sizedTable(sizes)
  const below = virtual.getTotalSize() - (last?.end ?? 0)

  return (
    <section
      ref={frame}
      className={`sideways ${styles.tableFrame}`}
      aria-label="Table of episodes"
      tabIndex={0}
      aria-busy={isBusy}
    >
      <table
        className={`${styles.episodeTable} ${sized.className}`.trim()}
        style={sizes === null ? { minWidth: `${whole}rem` } : sized.style}
        aria-rowcount={rowCount === null ? -1 : rowCount + 1}
      >
        <ListHead
          columns={listed}
          sorted={view}
          sortOf={({ sort }) => sort}
          onSort={({ sort }) => sort && onView(sortedBy(view, sort))}
          usualWidth={({ width }) => `${(width / whole) * 100}%`}
          rowIndex={1}
        />
        <tbody>
          <Room height={first?.start ?? 0} columns={shown.length} />
          {items.map(({ index }) => (
            <Row key={index} index={index} columns={shown} episode={rowAt(index)} />
          ))}
          <Room height={Math.max(0, below)} columns={shown.length} />
        </tbody>
      </table>
    </section>
  )
}

function useScrollToTop(frame: RefObject<HTMLElement | null>, view: EpisodeView): void {
  const shown = useRef(view)
  useEffect(() => {
    if (JSON.stringify(shown.current) !== JSON.stringify(view)) frame.current?.scrollTo({ top: 0 })
    shown.current = view
  }, [frame, view])
}

function Room({ height, columns }: { height: number; columns: number }) {
  if (height === 0) return null
  return (
    <tr aria-hidden>
      <td colSpan={columns} className={styles.tableRoom} style={{ height }} />
    </tr>
  )
}

/** Rerenders only if its episode loads or changes, however fast the user scrolls. */
const Row = memo(function Row({
  index,
  columns,
  episode,
}: {
  index: number
  columns: readonly EpisodeColumn[]
  episode: Episode | undefined
}) {
  return (
    <tr aria-rowindex={index + 2} className={styles.episodeRow}>
      {columns.map(({ name, isNumber, cell }) => (
        <td key={name} className={isNumber ? 'number' : undefined}>
          {episode === undefined ? <span className={styles.awaitedCell} aria-hidden /> : cell(episode)}
        </td>
      ))}
    </tr>
  )
})

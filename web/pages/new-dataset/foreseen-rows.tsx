import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { ForeseenRow } from '../../../shared/core/contracts/dataset-preview.ts'
import { RawRow } from '../../components/dataset-row/raw-row.tsx'
import { RowOrigin } from '../../components/dataset-row/row-origin.tsx'
import { RowParts } from '../../components/dataset-row/row-parts.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { InlineCode } from '../../components/inline-code.tsx'
import { Notice } from '../../components/notice.tsx'
import styles from './new-dataset-page.module.css'

export function ForeseenRows({ rows }: { rows: readonly ForeseenRow[] }) {
  const [wanted, setWanted] = useState(0)
  const place = Math.min(wanted, rows.length - 1)
  const row = rows[place]
  if (row === undefined) return null
  const { data, dropped, id, lineage, parts } = row
  return (
    <div className={styles.foreseenRows}>
      <div className={styles.foreseenWays}>
        <IconButton label="Row before" isDisabled={place === 0} onClick={() => setWanted(place - 1)}>
          <ChevronLeft size={16} aria-hidden />
        </IconButton>
        <span aria-live="polite" className={styles.foreseenPlace}>
          Row {place + 1} of the first {rows.length}
        </span>
        <IconButton
          label="Row after"
          isDisabled={place === rows.length - 1}
          onClick={() => setWanted(place + 1)}
        >
          <ChevronRight size={16} aria-hidden />
        </IconButton>
      </div>
      <article key={id} className={styles.foreseenRow} aria-label={`Row ${id}`}>
        {dropped !== null && (
          <Notice tone="warn">
            Kept out by the gate <code>{dropped.gate}</code>: <InlineCode text={dropped.reason} />.
          </Notice>
        )}
        <RowOrigin lineage={lineage} />
        <RowParts parts={parts} lineage={lineage} />
        {data !== null && <RawRow data={data} />}
      </article>
    </div>
  )
}

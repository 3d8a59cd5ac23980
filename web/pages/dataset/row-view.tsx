import type { DatasetPreviewRow } from '../../../shared/contracts/dataset.ts'
import { RawRow } from '../../components/dataset-row/raw-row.tsx'
import { RowOrigin } from '../../components/dataset-row/row-origin.tsx'
import { RowParts } from '../../components/dataset-row/row-parts.tsx'
import styles from './dataset-page.module.css'

/** One row: where it comes from, what its trainer makes of it, and how its file holds it. */
export function RowView({ row: { data, id, lineage, parts } }: { row: DatasetPreviewRow }) {
  return (
    <article className={styles.rowView} aria-label={`Row ${id}`}>
      <RowOrigin lineage={lineage} />
      <RowParts parts={parts} lineage={lineage} />
      <RawRow data={data} />
    </article>
  )
}

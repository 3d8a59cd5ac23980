import { useQuery } from '@tanstack/react-query'
import type { Dataset, DatasetPreviewRow } from '../../../shared/core/contracts/dataset.ts'
import { RawRow } from '../../components/dataset-row/raw-row.tsx'
import { RowOrigin } from '../../components/dataset-row/row-origin.tsx'
import { RowParts } from '../../components/dataset-row/row-parts.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Section } from '../../components/section.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { api } from '../../service/api.ts'
import { keepOf } from '../../service/keep-of.ts'
import { useAddress } from '../../service/use-address.ts'
import styles from './dataset-page.module.css'
import { pageOfRow, rowAddress, rowsOnPage, withRow } from './row-address.ts'
import { RowList } from './row-list.tsx'

export function RowsSection({ dataset }: { dataset: Dataset }) {
  const [search, setSearch] = useAddress()
  const splits = Object.entries(dataset.splits).filter(([, { rows }]) => rows > 0)
  const { row, split, total } = rowAddress(search, splits)
  const choose = (next: { split?: string; row: number }) => setSearch((before) => withRow(before, next))
  const rows = <Rows dataset={dataset.id} split={split} row={row} total={total} onChoose={choose} />
  return (
    <Section title="Rows" aside="as the trainer takes them">
      {splits.length > 1 ? (
        <Tabs
          label="Split"
          tabs={splits.map(([name, { rows }]) => ({
            id: name,
            name: `${name} (${rows.toLocaleString('en')})`,
          }))}
          chosen={split}
          onChoose={(name) => choose({ split: name, row: 0 })}
        >
          {rows}
        </Tabs>
      ) : (
        rows
      )}
    </Section>
  )
}

function Rows({
  dataset,
  onChoose,
  row,
  split,
  total,
}: {
  dataset: string
  split: string
  row: number
  total: number
  onChoose: (next: { row: number }) => void
}) {
  const first = pageOfRow(row)
  const rowsFrom = (from: number, limit: number) => ({
    queryKey: ['dataset', dataset, 'rows', split, from, limit],
    queryFn: () => api.datasetRows(dataset, { split, limit, ...(from > 0 && { after: from - 1 }) }),
    // A built dataset does not change.
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepOf('dataset', dataset, 'rows', split),
  })
  const page = useQuery(rowsFrom(first, rowsOnPage))
  const found = page.data?.data.find(({ id }) => id === String(row))
  // A page of long rows ends early, so a row beyond its end is read separately.
  const alone = useQuery({
    ...rowsFrom(row, 1),
    enabled: page.data !== undefined && !page.isPlaceholderData && found === undefined,
  })
  const open = found ?? alone.data?.data.find(({ id }) => id === String(row))
  return (
    <div className={`${styles.rowsFrame} ${total < rowsOnPage ? '' : styles.rowsFull}`}>
      <Loaded what="the rows" query={page}>
        {({ data }) => (
          <div className={styles.rowsColumns} aria-busy={page.isPlaceholderData}>
            <RowList
              rows={data}
              first={first}
              chosen={row}
              total={total}
              onChoose={(next) => onChoose({ row: next })}
            />
            <div className={styles.rowsOpen}>
              {open !== undefined ? (
                <RowView key={open.id} row={open} />
              ) : (
                <Loaded what="the row" query={alone}>
                  {() => null}
                </Loaded>
              )}
            </div>
          </div>
        )}
      </Loaded>
    </div>
  )
}

function RowView({ row: { data, id, lineage, parts } }: { row: DatasetPreviewRow }) {
  return (
    <article className={styles.rowView} aria-label={`Row ${id}`}>
      <RowOrigin lineage={lineage} />
      <RowParts parts={parts} lineage={lineage} />
      <RawRow data={data} />
    </article>
  )
}

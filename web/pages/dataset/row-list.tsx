import { ChevronLeft, ChevronRight } from 'lucide-react'
import { formatCount, formatNumber } from '../../../shared/core/client/format-quantity.ts'
import type { DatasetPreviewRow } from '../../../shared/core/contracts/dataset.ts'
import { Field } from '../../components/field.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import scroll from '../../components/table.module.css'
import { showControls } from '../../format/show-controls.ts'
import styles from './dataset-page.module.css'
import { rowsOnPage } from './row-address.ts'

export function RowList({
  rows,
  first,
  chosen,
  total,
  onChoose,
}: {
  rows: readonly DatasetPreviewRow[]
  first: number
  chosen: number
  total: number
  onChoose: (row: number) => void
}) {
  const last = Math.min(total, first + rowsOnPage) - 1
  return (
    <nav aria-label="Choose a row" className={styles.rowList}>
      <div className={styles.rowListPages}>
        <IconButton
          label="Earlier rows"
          isDisabled={first === 0}
          onClick={() => onChoose(Math.max(0, first - rowsOnPage))}
        >
          <ChevronLeft size={16} aria-hidden />
        </IconButton>
        <span className={styles.rowListRange}>
          {first.toLocaleString('en')} to {last.toLocaleString('en')} of {total.toLocaleString('en')}
        </span>
        <IconButton label="Later rows" isDisabled={last >= total - 1} onClick={() => onChoose(last + 1)}>
          <ChevronRight size={16} aria-hidden />
        </IconButton>
      </div>
      <ol className={`${scroll.scrollList} ${styles.listedRows}`}>
        {rows.map((row) => (
          <Item key={row.id} row={row} isChosen={row.id === String(chosen)} onChoose={onChoose} />
        ))}
      </ol>
      {rows.length < last - first + 1 && (
        <p className={styles.rowListHint}>
          These rows are long: the others of this page are shown by their number.
        </p>
      )}
      <div className={styles.listedNumbered}>
        <Field label="Row number" hint="Counted from 0.">
          {(field) => (
            <input
              {...field}
              type="number"
              min={0}
              max={total - 1}
              value={chosen}
              onChange={({ target }) => {
                if (target.validity.valid && target.value !== '') onChoose(target.valueAsNumber)
              }}
            />
          )}
        </Field>
      </div>
    </nav>
  )
}

function Item({
  row: { id, lineage },
  isChosen,
  onChoose,
}: {
  row: DatasetPreviewRow
  isChosen: boolean
  onChoose: (row: number) => void
}) {
  const { origin, other, task, tokens } = lineage
  const rewards = [origin, other].flatMap((side) =>
    side === null || side.reward === null ? [] : [formatNumber(side.reward)],
  )
  return (
    <li>
      <button
        type="button"
        className={styles.listedRow}
        aria-current={isChosen ? 'true' : undefined}
        onClick={() => onChoose(Number(id))}
      >
        <span className={styles.listedNumber}>{id}</span>
        <span className={styles.listedTask} dir="auto">
          {showControls(task)}
        </span>
        <span className={styles.listedFacts}>
          {formatCount(tokens)} tokens
          {rewards.length > 0 && `, reward ${rewards.join(' / ')}`}
        </span>
      </button>
    </li>
  )
}

import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { formatCount } from '../../../shared/core/client/format-quantity.ts'
import type { DatasetPreview, ForeseenRow } from '../../../shared/core/contracts/dataset-preview.ts'
import { foreseenReasons } from '../../../shared/core/contracts/left-out-reasons.ts'
import { RawRow } from '../../components/dataset-row/raw-row.tsx'
import { RowOrigin } from '../../components/dataset-row/row-origin.tsx'
import { RowParts } from '../../components/dataset-row/row-parts.tsx'
import { Unanswered } from '../../components/form/unanswered.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { InlineCode } from '../../components/inline-code.tsx'
import { GateTable, LeftOutTable } from '../../components/kept-out.tsx'
import { LoadingState } from '../../components/loading-state.tsx'
import { Notice } from '../../components/notice.tsx'
import { Section } from '../../components/section.tsx'
import { countOf } from '../../format/count-of.ts'
import styles from './new-dataset-page.module.css'
import type { Preview } from './use-preview.ts'

export function PreviewPanel({
  preview: { ask, data, error, isOld },
  isComplete,
}: {
  preview: Preview
  isComplete: boolean
}) {
  return (
    <Section title="The first rows" aside={isComplete && isOld && error === null ? 'looking …' : null}>
      <div className={styles.previewPanel} aria-busy={isOld}>
        {!isComplete ? (
          <p className="soft">They come as soon as a run or an import is chosen.</p>
        ) : error !== null ? (
          <Unanswered error={error} onRetry={ask} />
        ) : data === undefined ? (
          <LoadingState what="the first rows" />
        ) : (
          <Found preview={data} />
        )}
      </div>
    </Section>
  )
}

function Found({ preview }: { preview: DatasetPreview }) {
  const { asks, complete, gates, listed, pictures, read, rows, rows_found, tokens, warnings } = preview
  const leftOut = sumCounts(listed.left_out, read.left_out)
  const isFound = Object.values(gates).some(({ found }) => found > 0)
  const dropped = Object.values(gates).reduce((sum, gate) => sum + gate.dropped, 0)
  return (
    <>
      <p>
        <strong>{countOf(rows_found - dropped, 'row')}</strong>
        {dropped > 0 && ` of ${formatCount(rows_found)} found`}
        {rows_found > 0 &&
          `, ${formatCount(tokens.total)} tokens, the longest ${formatCount(tokens.longest)}`}
        , from {countOf(read.attempts, 'trajectory', 'trajectories')} of {countOf(read.tasks, 'task')}.{' '}
        <span className="soft">
          {complete
            ? 'This is all of it.'
            : 'Only the beginning was read: the build reads the rest, and gates may find more there.'}
        </span>
      </p>
      {pictures && (
        <p>
          {pictures.rows_without > 0
            ? `${formatCount(pictures.left_out)} pictures are left out of ${countOf(pictures.rows_without, 'row')}.`
            : `${countOf(pictures.rows, 'row')} show ${countOf(pictures.files, 'picture')}.`}
        </p>
      )}
      {warnings.map((warning) => (
        <Notice key={warning} tone="warn">
          <span dir="auto">
            <InlineCode text={warning} />
          </span>
        </Notice>
      ))}
      {asks !== null && (
        <Notice tone="warn">
          Rows that are made of the model’s answers are not shown: no model is asked for a preview.
        </Notice>
      )}
      {rows.length > 0 && <ForeseenRows rows={rows} />}
      {Object.keys(leftOut).length > 0 && (
        <details open={rows.length === 0}>
          <summary>Episodes without a row: {formatCount(total(leftOut))}</summary>
          <LeftOutTable counts={leftOut} words={foreseenReasons} />
        </details>
      )}
      {isFound && (
        <details open={rows_found === dropped}>
          <summary>What the gates found</summary>
          <GateTable gates={gates} />
        </details>
      )}
    </>
  )
}

type Counts = Readonly<Record<string, number>>

function sumCounts(left: Counts, right: Counts): Counts {
  const sum: Record<string, number> = { ...left }
  for (const [reason, count] of Object.entries(right)) sum[reason] = (sum[reason] ?? 0) + count
  return sum
}

function total(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

function ForeseenRows({ rows }: { rows: readonly ForeseenRow[] }) {
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

import { useMemo } from 'react'
import type { Run } from '../../../../shared/core/contracts/run.ts'
import { Button } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState, messageOf } from '../../../components/error-state.tsx'
import { episodeColumns, whyNoFigures } from './episode-columns.tsx'
import { EpisodeTable } from './episode-table.tsx'
import { type EpisodeView, isPlain } from './episode-view.ts'
import styles from './episodes.module.css'
import { useOrderedRows } from './use-ordered-rows.ts'
import { usePlainRows } from './use-plain-rows.ts'

export function EpisodeList({
  run,
  view,
  onView,
}: {
  run: Run
  view: EpisodeView
  onView: (view: EpisodeView) => void
}) {
  const { episodes, request, status } = run
  const columns = useMemo(() => episodeColumns({ request, status }), [request, status])
  const isAll = isPlain(view)
  const plain = usePlainRows(run, isAll)
  const ordered = useOrderedRows(run, view, !isAll)
  const rows = isAll ? plain : ordered
  if (rows.error !== null) return <ErrorState error={rows.error} onRetry={rows.refetch} />
  if (rows.rowCount === 0 && !rows.isBusy) {
    const { order, sort } = view
    return (
      <EmptyState
        title="No episode is like that"
        action={<Button onClick={() => onView({ sort, order })}>Show all episodes</Button>}
      >
        None of the run’s {run.episodes.total.toLocaleString('en')} episodes passes the filters.
      </EmptyState>
    )
  }
  return (
    <>
      {rows.asOf !== null && (
        <p className={styles.listNote}>
          These pages are as of {new Date(rows.asOf).toLocaleTimeString()}.{' '}
          <Button onClick={rows.refetch}>Read them again</Button>
        </p>
      )}
      <EpisodeTable columns={columns} view={view} onView={onView} rows={rows} />
      {episodes.cancelled + episodes.active > 0 && <p className={styles.listFoot}>–: {whyNoFigures}</p>}
      {rows.stop !== null && (
        <p role="alert" className={styles.listNote}>
          {messageOf(rows.stop)} <Button onClick={rows.refetch}>Try again</Button>
        </p>
      )}
    </>
  )
}

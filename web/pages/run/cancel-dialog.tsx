import { allowedActions } from './allowed-actions.ts'
import { ChangeDialog, type RunDialog } from './change-dialog.tsx'

/** Asks before a run is ended for good. */
export function CancelDialog({ run, ...dialog }: RunDialog) {
  const { active, waiting } = run.episodes
  const open = active + waiting
  // It may end by itself, or by another user, while the question is open.
  const { cancel: refusal } = allowedActions(run)
  return (
    <ChangeDialog
      {...dialog}
      title="Cancel this run?"
      action="Cancel the run"
      kind="danger"
      wish={refusal === null ? { change: 'cancel' } : null}
    >
      {refusal !== null ? (
        <p>{refusal}</p>
      ) : (
        <p>
          It ends for good:{' '}
          {open === 1 ? 'one episode that has' : `${open.toLocaleString('en')} episodes that have`} not ended
          will be cancelled. What has ended is kept. To go on later, pause it instead.
        </p>
      )}
    </ChangeDialog>
  )
}

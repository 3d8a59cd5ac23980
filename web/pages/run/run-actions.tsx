import { type ReactNode, useState } from 'react'
import { ConnectionError } from '../../../shared/core/client/connection-error.ts'
import { formatCount, formatMoney } from '../../../shared/core/client/format-quantity.ts'
import type { RunAction } from '../../../shared/core/client/play-calls.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { ActionButton } from '../../components/action-button.tsx'
import { ButtonRow } from '../../components/button-row.tsx'
import { ForeignText } from '../../components/foreign-text.tsx'
import { fieldErrors } from '../../components/form/field-errors.ts'
import { runLimitsSchema } from '../../components/form/form-schemas.ts'
import { LimitGroup } from '../../components/form/limit-group.tsx'
import { Refusal } from '../../components/form/refusal.tsx'
import { Menu } from '../../components/menu.tsx'
import { findProblems } from '../../components/schema-fields/settle-value.ts'
import { formatSeconds } from '../../format/format-seconds.ts'
import { connection } from '../../service/connection.ts'
import { hasEnded } from '../../service/follow-run.ts'
import { useStore } from '../../service/store.ts'
import { allowedActions } from './allowed-actions.ts'
import { ChangeDialog, type RunDialog, useChangeRun } from './change-dialog.tsx'
import { ExtendDialog } from './extend-dialog.tsx'
import { changedParameters, removedLimits } from './extension.ts'
import { offeredCaps, reachedCap, spentOf } from './run-caps.ts'
import styles from './run-page.module.css'

type Asking = Extract<RunAction, 'resume' | 'extend' | 'cancel'>

export function RunActions({ run, children }: { run: Run; children: ReactNode }) {
  const change = useChangeRun(run.id)
  const [asking, setAsking] = useState<Asking | null>(null)
  const allowed = allowedActions(run)
  const isBusy = change.isPending
  const isPaused = run.status === 'paused'
  // Once the service answers again, hide the old connection error.
  const isBack = useStore(connection) === 'connected' && change.error instanceof ConnectionError

  function ask(what: Asking) {
    change.reset()
    setAsking(what)
  }

  const dialog = (what: Asking) => ({
    run,
    change,
    isOpen: asking === what,
    onClose: () => setAsking(null),
  })

  return (
    <div className={styles.runActions}>
      <ButtonRow>
        {!hasEnded(run) &&
          (isPaused ? (
            <ActionButton
              refusal={allowed.resume}
              isBusy={isBusy}
              kind="primary"
              onClick={() => ask('resume')}
            >
              Resume …
            </ActionButton>
          ) : (
            <ActionButton
              refusal={allowed.pause}
              isBusy={isBusy}
              onClick={() => change.mutate({ change: 'pause' })}
            >
              Pause
            </ActionButton>
          ))}
        <Menu label="Actions">
          <ButtonRow>
            <ActionButton refusal={allowed.extend} isBusy={isBusy} onClick={() => ask('extend')}>
              Extend …
            </ActionButton>
            <ActionButton
              refusal={allowed.retry}
              isBusy={isBusy}
              onClick={() => change.mutate({ change: 'retry' })}
            >
              Retry errors
            </ActionButton>
            <ActionButton
              refusal={allowed.cancel}
              isBusy={isBusy}
              kind="danger"
              onClick={() => ask('cancel')}
            >
              Cancel …
            </ActionButton>
          </ButtonRow>
          {children}
        </Menu>
      </ButtonRow>
      {change.isError && asking === null && !isBack && <Refusal error={change.error} />}
      <ResumeDialog {...dialog('resume')} />
      <ExtendDialog {...dialog('extend')} />
      <CancelDialog {...dialog('cancel')} />
    </div>
  )
}

function CancelDialog({ run, ...dialog }: RunDialog) {
  const { active, waiting } = run.episodes
  const open = active + waiting
  // The run may end by itself, or through another user, while the dialog is open.
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

function ResumeDialog(dialog: RunDialog) {
  // Closing the dialog discards its input.
  return <OpenResumeDialog key={String(dialog.isOpen)} {...dialog} />
}

function OpenResumeDialog({ run, ...dialog }: RunDialog) {
  const [caps, setCaps] = useState(() => offeredCaps(run))
  const removed = removedLimits(caps, run.request.limits)
  const isWrong = Object.keys({ ...removed, ...findProblems(runLimitsSchema, caps) }).length > 0
  const limits = changedParameters(caps, run.request.limits)
  return (
    <ChangeDialog
      {...dialog}
      title="Resume the run"
      action="Resume"
      wish={isWrong ? null : { change: 'resume', body: Object.keys(limits).length > 0 ? { limits } : {} }}
    >
      {run.status_reason !== null && <ForeignText text={run.status_reason} isMuted />}
      {reachedCap(run) !== null && (
        <p>
          It needs a higher limit than the one it reached; twice as much is filled in. Nothing that was paid
          for is paid for again.
        </p>
      )}
      <LimitGroup
        legend="Limits of the run"
        note={`So far: ${describeSpent(run)}.`}
        schema={runLimitsSchema}
        value={caps}
        onChange={setCaps}
        errors={{ ...fieldErrors(dialog.change.error)('limits'), ...removed }}
      />
    </ChangeDialog>
  )
}

function describeSpent(run: Run): string {
  const { cost, tokens, time } = spentOf(run)
  const money = cost === null ? 'no price is stated' : formatMoney(cost)
  return `${money}, ${formatCount(tokens)} tokens, ${formatSeconds(time)}`
}

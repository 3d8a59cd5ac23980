import { useState } from 'react'
import { formatCount, formatMoney } from '../../../shared/core/client/format-quantity.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { ForeignText } from '../../components/foreign-text.tsx'
import { fieldErrors } from '../../components/form/field-errors.ts'
import { LimitGroup } from '../../components/form/limit-group.tsx'
import { runLimitsSchema } from '../../components/form/limits-schemas.ts'
import { findProblems } from '../../components/schema-fields/settle-value.ts'
import { formatSeconds } from '../../format/format-seconds.ts'
import { ChangeDialog, type RunDialog } from './change-dialog.tsx'
import { changedParameters, removedLimits } from './extension.ts'
import { offeredCaps, reachedCap, spentOf } from './run-caps.ts'

export function ResumeDialog(dialog: RunDialog) {
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

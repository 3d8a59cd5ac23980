import { formatDuration, formatMoney } from '../../../shared/core/client/format-quantity.ts'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import type { Training } from '../../../shared/core/contracts/training.ts'
import { fieldErrors } from '../../components/form/field-errors.ts'
import { type DialogChange, FormDialog } from '../../components/form/form-dialog.tsx'
import { workLimitsSchema } from '../../components/form/form-schemas.ts'
import { LimitGroup } from '../../components/form/limit-group.tsx'
import { findProblems } from '../../components/schema-fields/settle-value.ts'
import { removedLimits } from '../run/extension.ts'

export function ResumeDialog({
  training: { request, usage },
  caps,
  onCaps,
  ...dialog
}: {
  training: Pick<Training, 'request' | 'usage'>
  caps: JsonObject
  onCaps: (caps: JsonObject) => void
  change: DialogChange
  isOpen: boolean
  onClose: () => void
  onSubmit: () => void
}) {
  const removed = removedLimits(caps, request.limits)
  const problems = { ...removed, ...findProblems(workLimitsSchema, caps) }
  return (
    <FormDialog
      {...dialog}
      title="Resume the training"
      action="Resume"
      isComplete={Object.keys(problems).length === 0}
    >
      <p>It goes on from its last checkpoint, or from the base where there is none.</p>
      <LimitGroup
        legend="Limits of the training"
        note={`So far: ${formatMoney(usage.cost)}, ${formatDuration(usage.seconds)} of work.`}
        schema={workLimitsSchema}
        value={caps}
        onChange={onCaps}
        errors={{ ...fieldErrors(dialog.change.error)('limits'), ...removed }}
      />
    </FormDialog>
  )
}

import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Run } from '../../../shared/contracts/run.ts'
import { FormDialog } from '../../components/form/form-dialog.tsx'
import type { ChangeOfRun } from './use-change-run.ts'

/** Props of every dialog about a run. */
export interface RunDialog {
  run: Run
  change: UseMutationResult<Run, Error, ChangeOfRun>
  isOpen: boolean
  onClose: () => void
}

export function ChangeDialog({
  wish,
  change,
  onClose,
  ...dialog
}: Omit<RunDialog, 'run'> & {
  title: string
  /** The label of the button. */
  action: string
  kind?: 'primary' | 'danger'
  /** The change to send; null while the input is invalid. */
  wish: ChangeOfRun | null
  children: ReactNode
}) {
  return (
    <FormDialog
      {...dialog}
      isComplete={wish !== null}
      change={change}
      onClose={onClose}
      onSubmit={() => wish !== null && change.mutate(wish, { onSuccess: onClose })}
    />
  )
}

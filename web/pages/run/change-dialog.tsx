import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { FormDialog } from '../../components/form/form-dialog.tsx'
import type { ChangeOfRun } from './use-change-run.ts'

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
  action: string
  kind?: 'primary' | 'danger'
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

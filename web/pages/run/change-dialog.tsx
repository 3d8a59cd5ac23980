import type { UseMutationResult } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import type { Run } from '../../../shared/contracts/run.ts'
import { Button } from '../../components/button.tsx'
import { ButtonRow } from '../../components/button-row.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Refusal } from '../../components/form/refusal.tsx'
import styles from './run-page.module.css'
import type { ChangeOfRun } from './use-change-run.ts'

/** What each dialog about a run is given. */
export interface RunDialog {
  run: Run
  change: UseMutationResult<Run, Error, ChangeOfRun>
  isOpen: boolean
  onClose: () => void
}

/** A dialog that changes a run: what it asks, what the service says against it, and the button that does it. */
export function ChangeDialog({
  title,
  action,
  kind = 'primary',
  wish,
  change,
  isOpen,
  onClose,
  children,
}: Omit<RunDialog, 'run'> & {
  title: string
  /** The word on the button. */
  action: string
  kind?: 'primary' | 'danger'
  /** What is sent; null while what was entered is wrong. */
  wish: ChangeOfRun | null
  children: ReactNode
}) {
  function submit(event: FormEvent) {
    event.preventDefault()
    if (wish !== null && !change.isPending) change.mutate(wish, { onSuccess: onClose })
  }

  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <form className={styles.changeForm} onSubmit={submit} noValidate>
        {children}
        {change.isError && <Refusal error={change.error} />}
        <ButtonRow>
          <Button type="submit" kind={kind} disabled={wish === null || change.isPending}>
            {action}
          </Button>
          <Button onClick={onClose}>Leave it as it is</Button>
        </ButtonRow>
      </form>
    </Dialog>
  )
}

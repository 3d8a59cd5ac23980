import type { FormEvent, ReactNode } from 'react'
import { Button } from '../button.tsx'
import { ButtonRow } from '../button-row.tsx'
import { Dialog } from '../dialog.tsx'
import styles from './form.module.css'
import { Refusal } from './refusal.tsx'

export interface DialogChange {
  isPending: boolean
  error: Error | null
}

export function FormDialog({
  title,
  action,
  kind = 'primary',
  isComplete = true,
  change,
  isOpen,
  onClose,
  onSubmit,
  children,
}: {
  title: string
  action: string
  kind?: 'primary' | 'danger'
  isComplete?: boolean
  change: DialogChange
  isOpen: boolean
  onClose: () => void
  onSubmit: () => void
  children: ReactNode
}) {
  function submit(event: FormEvent) {
    event.preventDefault()
    if (isComplete && !change.isPending) onSubmit()
  }

  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <form className={styles.stack} onSubmit={submit} noValidate>
        {children}
        {change.error !== null && <Refusal error={change.error} />}
        <ButtonRow>
          <Button type="submit" kind={kind} disabled={!isComplete || change.isPending}>
            {action}
          </Button>
          <Button onClick={onClose}>Leave it as it is</Button>
        </ButtonRow>
      </form>
    </Dialog>
  )
}

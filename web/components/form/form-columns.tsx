import type { FormEvent, ReactNode } from 'react'
import { Button } from '../button.tsx'
import styles from './form.module.css'

export function FormColumns({
  beside,
  below,
  isEven = false,
  onSubmit,
  children,
}: {
  beside: ReactNode
  below: ReactNode
  isEven?: boolean
  onSubmit: () => void
  children: ReactNode
}) {
  function submit(event: FormEvent) {
    event.preventDefault()
    onSubmit()
  }

  return (
    <form className={`${styles.columns} ${isEven ? styles.even : ''}`} onSubmit={submit} noValidate>
      <div className={styles.form}>{children}</div>
      <div className={styles.beside}>{beside}</div>
      <div className={styles.below}>{below}</div>
    </form>
  )
}

export function SendButton({
  form: { isComplete, isSent },
  text,
}: {
  form: { isComplete: boolean; isSent: boolean }
  text: string
}) {
  return (
    <Button type="submit" kind="primary" disabled={!isComplete || isSent}>
      {isSent ? 'Sending …' : text}
    </Button>
  )
}

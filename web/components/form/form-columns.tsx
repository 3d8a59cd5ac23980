import type { FormEvent, ReactNode } from 'react'
import styles from './form.module.css'

/** A long form, with what it leads to beside it, always in sight, and what goes with it below. */
export function FormColumns({
  beside,
  below,
  isEven = false,
  onSubmit,
  children,
}: {
  beside: ReactNode
  below: ReactNode
  /** whether what is beside it needs as much room as the form. */
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

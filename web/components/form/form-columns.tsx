import type { FormEvent, ReactNode } from 'react'
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

import type { ReactNode } from 'react'
import styles from './table.module.css'

export function Table({
  label,
  isFramed = false,
  children,
}: {
  label: string
  isFramed?: boolean
  children: ReactNode
}) {
  return (
    <section
      className={`sideways ${styles.tableFrame} ${isFramed ? styles.tableFramed : ''}`}
      aria-label={label}
      tabIndex={0}
    >
      <table className={styles.table}>{children}</table>
    </section>
  )
}

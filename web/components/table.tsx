import type { ReactNode } from 'react'
import styles from './table.module.css'

/** A table that scrolls sideways where it is wider than its place. Cells of numbers have the class `number`. */
export function Table({
  label,
  isFramed = false,
  children,
}: {
  label: string
  /** With a frame of its own, where it is in no section. */
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

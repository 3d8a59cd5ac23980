import type { ReactNode } from 'react'
import styles from './table.module.css'

/** A table that scrolls sideways where it is wider than its place. Cells of numbers have the class `number`. */
export function Table({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className={styles.frame} aria-label={label} tabIndex={0}>
      <table className={styles.table}>{children}</table>
    </section>
  )
}

import type { ReactNode } from 'react'
import styles from './filter-row.module.css'

/** Inputs side by side that narrow the list below. */
export function FilterRow({ children }: { children: ReactNode }) {
  return (
    <search className={styles.row} aria-label="Filters">
      {children}
    </search>
  )
}

import type { ReactNode } from 'react'
import styles from './field.module.css'

/** Inputs side by side that narrow the list below. */
export function FilterRow({ children }: { children: ReactNode }) {
  return (
    <search className={styles.filterRow} aria-label="Filters">
      {children}
    </search>
  )
}

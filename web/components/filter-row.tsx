import type { ReactNode } from 'react'
import styles from './field.module.css'

export function FilterRow({ children }: { children: ReactNode }) {
  return (
    <search className={styles.filterRow} aria-label="Filters">
      {children}
    </search>
  )
}

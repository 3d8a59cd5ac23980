import type { ReactNode } from 'react'
import styles from './layout.module.css'

/** Short facts side by side below the title of a page. */
export function HeaderLine({ children }: { children: ReactNode }) {
  return <span className={styles.headerLine}>{children}</span>
}

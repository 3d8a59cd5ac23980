import type { ReactNode } from 'react'
import styles from './button.module.css'

/** Buttons side by side. */
export function ButtonRow({ children }: { children: ReactNode }) {
  return <div className={styles.buttonRow}>{children}</div>
}

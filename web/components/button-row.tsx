import type { ReactNode } from 'react'
import styles from './button.module.css'

export function ButtonRow({ children }: { children: ReactNode }) {
  return <div className={styles.buttonRow}>{children}</div>
}

import type { ReactNode } from 'react'
import styles from './state.module.css'

export function EmptyState({
  title,
  children,
  action,
}: {
  title: string
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className={styles.emptyState}>
      <h2>{title}</h2>
      {children && <div className={styles.emptyText}>{children}</div>}
      {action}
    </div>
  )
}

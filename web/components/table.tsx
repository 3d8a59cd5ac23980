import type { CSSProperties, ReactNode } from 'react'
import styles from './table.module.css'

export function Table({
  label,
  isFramed = false,
  className = '',
  style,
  children,
}: {
  label: string
  isFramed?: boolean
  className?: string
  style?: CSSProperties
  children: ReactNode
}) {
  return (
    <section
      className={`sideways ${styles.tableFrame} ${isFramed ? styles.tableFramed : ''}`}
      aria-label={label}
      tabIndex={0}
    >
      <table className={`${styles.table} ${className}`.trim()} style={style}>
        {children}
      </table>
    </section>
  )
}

import type { ReactNode } from 'react'
import styles from './figures.module.css'

export function Stats({ children }: { children: ReactNode }) {
  return <dl className={styles.stats}>{children}</dl>
}

export function Stat({ name, note, children }: { name: string; note?: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.stat}>
      <dt>{name}</dt>
      <dd className={styles.statValue}>{children}</dd>
      {note && <dd className={styles.statNote}>{note}</dd>}
    </div>
  )
}

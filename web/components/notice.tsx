import type { ReactNode } from 'react'
import styles from './notice.module.css'

/** A sentence about all of what follows, such as why it has stopped and what to do. */
export function Notice({
  tone = 'info',
  isSpaced = false,
  children,
}: {
  tone?: 'info' | 'warn' | 'bad'
  /** With room below it, where its place leaves none between its parts. */
  isSpaced?: boolean
  children: ReactNode
}) {
  return <div className={`${styles.notice} ${styles[tone]} ${isSpaced ? styles.spaced : ''}`}>{children}</div>
}

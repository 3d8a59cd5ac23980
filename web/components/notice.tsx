import type { ReactNode } from 'react'
import styles from './state.module.css'

const tones = { info: styles.noticeInfo, warn: styles.noticeWarn, bad: styles.noticeBad }

/** A sentence about all the content below it, such as why it stopped and the remedy. */
export function Notice({
  tone = 'info',
  isSpaced = false,
  children,
}: {
  tone?: keyof typeof tones
  /** Adds a margin below, for a parent without gaps between its children. */
  isSpaced?: boolean
  children: ReactNode
}) {
  return (
    <div className={`${styles.notice} ${tones[tone]} ${isSpaced ? styles.noticeSpaced : ''}`}>{children}</div>
  )
}

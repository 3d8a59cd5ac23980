import type { ReactNode } from 'react'
import styles from './state.module.css'

const tones = { info: styles.noticeInfo, warn: styles.noticeWarn, bad: styles.noticeBad }

/** A sentence about all of what follows, such as why it has stopped and what to do. */
export function Notice({
  tone = 'info',
  isSpaced = false,
  children,
}: {
  tone?: keyof typeof tones
  /** With room below it, where its place leaves none between its parts. */
  isSpaced?: boolean
  children: ReactNode
}) {
  return (
    <div className={`${styles.notice} ${tones[tone]} ${isSpaced ? styles.noticeSpaced : ''}`}>{children}</div>
  )
}

import type { ReactNode } from 'react'
import styles from './state.module.css'

const tones = { info: styles.noticeInfo, warn: styles.noticeWarn, bad: styles.noticeBad }

export function Notice({
  tone = 'info',
  isSpaced = false,
  children,
}: {
  tone?: keyof typeof tones
  isSpaced?: boolean
  children: ReactNode
}) {
  return (
    <div className={`${styles.notice} ${tones[tone]} ${isSpaced ? styles.noticeSpaced : ''}`}>{children}</div>
  )
}

import type { ReactNode } from 'react'
import { type WorkStatus, workWord } from '../../shared/core/client/status-words.ts'
import styles from './layout.module.css'
import { StatusBadge } from './status-badge.tsx'
import { TimeAgo } from './time-ago.tsx'

export function HeaderLine({ children }: { children: ReactNode }) {
  return <span className={styles.headerLine}>{children}</span>
}

export function MadeLine({
  of: { created_at, id, status },
  children,
}: {
  of: { created_at: string; id: string; status: WorkStatus }
  children: ReactNode
}) {
  return (
    <HeaderLine>
      <StatusBadge status={workWord(status)} />
      <span>{children}</span>
      <span>
        created <TimeAgo at={created_at} />
      </span>
      <code>{id}</code>
    </HeaderLine>
  )
}

import type { ReactNode } from 'react'
import styles from './conversation.module.css'
import { ForeignText } from './foreign-text.tsx'
import { Thoughts } from './thoughts.tsx'

export interface Turn {
  id: string
  role: string
  content: string
  thoughts?: string
  learned?: boolean
  isUndesired?: boolean
  note?: ReactNode
  after?: ReactNode
  atFirst?: number
}

export function Conversation({ turns }: { turns: readonly Turn[] }) {
  return (
    <ol className={styles.turns}>
      {turns.map(({ id, role, content, thoughts, learned, isUndesired = false, note, after, atFirst }) => (
        <li
          key={id}
          className={styles.turn}
          data-role={role}
          data-learned={learned}
          data-undesired={isUndesired}
        >
          <header className={styles.head}>
            <span className={styles.role}>{role}</span>
            {learned !== undefined && (
              <span className={learned ? styles.learned : undefined}>{wordOf(learned, isUndesired)}</span>
            )}
            {note}
          </header>
          {thoughts !== undefined && <Thoughts text={thoughts} />}
          <ForeignText text={content} {...(atFirst !== undefined && { atFirst })} />
          {after}
        </li>
      ))}
    </ol>
  )
}

function wordOf(learned: boolean, isUndesired: boolean): string {
  if (!learned) return 'context'
  return isUndesired ? 'unlearned' : 'learned'
}

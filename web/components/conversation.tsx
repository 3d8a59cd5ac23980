import type { ReactNode } from 'react'
import styles from './conversation.module.css'
import { ForeignText } from './foreign-text.tsx'

/** One turn of a chat. */
export interface Turn {
  /** Unique in its conversation, such as its position. */
  id: string
  role: string
  content: string
  /** Whether a trainer learns it; left out where nothing is said about that. */
  learned?: boolean
  /** What stands beside the role, such as a link to the turn's node. */
  note?: ReactNode
}

/** Turns of a chat below each other. What is learned has a mark and a word, so that no colour is needed to see it. */
export function Conversation({ turns }: { turns: readonly Turn[] }) {
  return (
    <ol className={styles.turns}>
      {turns.map(({ id, role, content, learned, note }) => (
        <li key={id} className={styles.turn} data-role={role} data-learned={learned}>
          <header className={styles.head}>
            <span className={styles.role}>{role}</span>
            {learned !== undefined && (
              <span className={learned ? styles.learned : undefined}>{learned ? 'learned' : 'context'}</span>
            )}
            {note}
          </header>
          <ForeignText text={content} />
        </li>
      ))}
    </ol>
  )
}

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
  /** Whether what is learned is to become less likely: the rejected side of a pair, an undesirable answer. */
  isUndesired?: boolean
  /** What is shown beside the role, such as a link to the turn's node. */
  note?: ReactNode
  /** What stands below the text, such as pictures. */
  after?: ReactNode
  /** Characters of it that are shown at first; left out, it is shown whole unless it is very long. */
  atFirst?: number
}

/** Turns of a chat below each other. What is learned has a mark and a word, so that no colour is needed to see it. */
export function Conversation({ turns }: { turns: readonly Turn[] }) {
  return (
    <ol className={styles.turns}>
      {turns.map(({ id, role, content, learned, isUndesired = false, note, after, atFirst }) => (
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

import { useState } from 'react'
import { Button } from '../button.tsx'
import { Conversation, type Turn } from '../conversation.tsx'
import styles from './dataset-row.module.css'
import { foldTurns } from './fold-turns.ts'

/** A conversation whose middle is folded away where it is long, until it is asked for. */
export function FoldedTurns({ turns, isContext }: { turns: readonly Turn[]; isContext: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const { first, hidden, last } = foldTurns(turns, isContext)
  if (isOpen || hidden === 0) return <Conversation turns={turns} />
  return (
    <div className={styles.foldedTurns}>
      {first.length > 0 && <Conversation turns={first} />}
      <Button className={styles.foldedMore ?? ''} onClick={() => setOpen(true)}>
        Show {hidden} {first.length > 0 ? 'more' : 'earlier'} {hidden === 1 ? 'turn' : 'turns'}
      </Button>
      <Conversation turns={last} />
    </div>
  )
}

import { useState } from 'react'
import { Button } from '../button.tsx'
import { Conversation, type Turn } from '../conversation.tsx'
import styles from './dataset-row.module.css'

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

const lastOfPrompt = 2
const firstOfMany = 4
const lastOfMany = 20

export function foldTurns<Turn>(
  turns: readonly Turn[],
  isContext: boolean,
): { first: Turn[]; hidden: number; last: Turn[] } {
  const [firstKept, lastKept] = isContext ? [0, lastOfPrompt] : [firstOfMany, lastOfMany]
  const hidden = turns.length - firstKept - lastKept
  if (hidden <= 0) return { first: [...turns], hidden: 0, last: [] }
  return { first: turns.slice(0, firstKept), hidden, last: turns.slice(-lastKept) }
}

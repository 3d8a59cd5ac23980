import { useMemo } from 'react'
import type { Tree } from '../../../shared/contracts/tree.ts'
import styles from './compare-episodes.module.css'
import { MarkedText } from './marked-text.tsx'
import { textDifference } from './text-difference.ts'

/** What stands before the first action on both sides: instructions, examples, the first observation. */
export function HeadRow({ left, right }: { left: Tree; right: Tree }) {
  const [own, other] = [textOf(left), textOf(right)]
  const difference = useMemo(() => textDifference(own, other), [own, other])
  return (
    <details className={styles.equalRow}>
      <summary>
        <span className={styles.equalNumber}>0</span>
        <span className={styles.equalAction}>
          Before the first action: instructions and first observation
        </span>
        <span className={styles.equalWord}>{own === other ? 'equal' : 'differs'}</span>
      </summary>
      <div className={styles.stepCells}>
        <MarkedText label="Before the first action, left" parts={difference.left} />
        <MarkedText label="Before the first action, right" parts={difference.right} />
      </div>
    </details>
  )
}

function textOf({ messages }: Tree): string {
  return messages.map(({ role, content }) => `${role}:\n${content}`).join('\n\n')
}

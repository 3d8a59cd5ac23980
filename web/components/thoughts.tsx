import { formatBytes } from '../../shared/core/client/format-quantity.ts'
import { LongText } from './long-text.tsx'
import styles from './text.module.css'

export function Thoughts({ text }: { text: string }) {
  return (
    <details className={styles.thoughts}>
      <summary>Thoughts, {formatBytes(text.length)}</summary>
      <LongText label="Thoughts" text={text} />
    </details>
  )
}

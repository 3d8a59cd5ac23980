import { CodeBlock } from './code-block.tsx'
import styles from './text.module.css'

export function CommandExample({ label, text }: { label: string; text: string }) {
  return (
    <div className={styles.commandExample}>
      <CodeBlock label={label} text={text} />
    </div>
  )
}

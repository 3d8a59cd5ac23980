import styles from './code-block.module.css'
import { CopyButton } from './copy-button.tsx'

/** Text that is to be copied unchanged. */
export function CodeBlock({ label, text }: { label: string; text: string }) {
  return (
    <div className={styles.block}>
      <section className={styles.text} aria-label={label} tabIndex={0}>
        <pre>{text}</pre>
      </section>
      <div className={styles.copy}>
        <CopyButton what={label} text={text} />
      </div>
    </div>
  )
}

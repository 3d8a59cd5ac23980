import { CopyButton } from './copy-button.tsx'
import styles from './text.module.css'

export function CodeBlock({ label, text }: { label: string; text: string }) {
  return (
    <div className={styles.codeBlock}>
      <section className={styles.codeText} aria-label={label} tabIndex={0}>
        <pre>{text}</pre>
      </section>
      <div className={styles.codeCopy}>
        <CopyButton what={label} text={text} />
      </div>
    </div>
  )
}

import { ForeignText } from './foreign-text.tsx'
import styles from './text.module.css'

const most = { characters: 1500, lines: 24 }

export function LongText({ label, text }: { label: string; text: string }) {
  if (text.length <= most.characters && text.split('\n', most.lines + 1).length <= most.lines) {
    return <ForeignText text={text} />
  }
  return (
    <section className={styles.longText} aria-label={label} tabIndex={0}>
      <ForeignText text={text} />
    </section>
  )
}

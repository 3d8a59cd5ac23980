import { showControls } from '../../format/show-controls.ts'
import styles from './compare-episodes.module.css'
import type { TextPart } from './text-difference.ts'

/** Characters shown; the step's node has the whole text. */
const most = 20_000

export function MarkedText({ label, parts }: { label: string; parts: readonly TextPart[] }) {
  const shown: { at: number; text: string; isOnlyHere: boolean }[] = []
  let at = 0
  for (const { text, isOnlyHere } of parts) {
    if (at < most) shown.push({ at, text: text.slice(0, most - at), isOnlyHere })
    at += text.length
  }
  return (
    <section className={styles.markedFrame} aria-label={label} tabIndex={isLong(parts) ? 0 : undefined}>
      <pre dir="auto" className={styles.markedText}>
        {shown.map((part) =>
          part.isOnlyHere ? (
            <mark key={part.at} className={styles.onlyHere}>
              {showControls(part.text)}
            </mark>
          ) : (
            <span key={part.at}>{showControls(part.text)}</span>
          ),
        )}
      </pre>
      {at > most && <p className="soft">Cut here; the node has the whole text.</p>}
    </section>
  )
}

function isLong(parts: readonly TextPart[]): boolean {
  const text = parts.map((part) => part.text).join('')
  return text.length > 600 || text.split('\n', 13).length > 12
}

import { useState } from 'react'
import { formatBytes } from '../../shared/client/format-quantity.ts'
import { cutText } from '../format/cut-text.ts'
import { showControls } from '../format/show-controls.ts'
import { saveText } from '../service/save-text.ts'
import { Button } from './button.tsx'
import styles from './text.module.css'

/** Characters that are shown at first unless the place wants fewer, and with each wish for more. */
const piece = 20_000
const morePiece = 100_000
/** A line of fewer characters takes as much room on the page as one of so many. */
const lineLength = 40

/**
 * Text that an agent or an environment wrote, as it is: never markup, control characters made visible, in its own direction
 * of writing whatever is around it, and a piece at a time where it is long.
 */
export function ForeignText({
  text,
  isMuted = false,
  atFirst = piece,
}: {
  text: string
  isMuted?: boolean
  /** Characters that are shown at first. */
  atFirst?: number
}) {
  const [shown, setShown] = useState(atFirst)
  const beginning = cutText(text, { characters: shown, lines: Math.ceil(shown / lineLength) })
  const left = text.length - beginning.length
  return (
    <div className={`${styles.foreignFrame} ${isMuted ? styles.foreignMuted : ''}`}>
      <pre dir="auto" className={styles.foreignText}>
        {showControls(beginning)}
      </pre>
      {left > 0 && (
        <p className={styles.foreignMore}>
          {formatBytes(left)} more <Button onClick={() => setShown(shown + morePiece)}>Show more</Button>{' '}
          <Button onClick={() => saveText('text.txt', text, 'text/plain')}>Download all of it</Button>
        </p>
      )}
    </div>
  )
}

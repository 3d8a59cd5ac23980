import { useState } from 'react'
import { formatBytes } from '../../shared/core/client/format-quantity.ts'
import { cutText } from '../format/cut-text.ts'
import { showControls } from '../format/show-controls.ts'
import { saveText } from '../service/save-text.ts'
import { Button } from './button.tsx'
import styles from './text.module.css'

const piece = 20_000
const morePiece = 100_000
const lineLength = 40

/**
 * Text that an agent or an environment wrote, verbatim: never markup, with visible control characters and its own
 * writing direction. A long text is shown piece by piece.
 */
export function ForeignText({
  text,
  isMuted = false,
  atFirst = piece,
}: {
  text: string
  isMuted?: boolean
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

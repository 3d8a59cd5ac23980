import { useState } from 'react'
import { formatBytes } from '../../shared/client/format-quantity.ts'
import { showControls } from '../format/show-controls.ts'
import { Button } from './button.tsx'
import styles from './foreign-text.module.css'

/** Characters that are shown at first, and with each wish for more. */
const piece = 20_000

/**
 * Text that an agent or an environment wrote, as it is: never markup, control characters made visible, in its own direction
 * of writing whatever stands around it, and a piece at a time where it is long.
 */
export function ForeignText({ text, isMuted = false }: { text: string; isMuted?: boolean }) {
  const [shown, setShown] = useState(piece)
  const left = text.length - shown
  return (
    <div className={`${styles.frame} ${isMuted ? styles.muted : ''}`}>
      <pre dir="auto" className={styles.text}>
        {showControls(text.slice(0, shown))}
      </pre>
      {left > 0 && (
        <p className={styles.more}>
          {formatBytes(left)} more <Button onClick={() => setShown(shown + piece * 5)}>Show more</Button>{' '}
          <Button onClick={() => download(text)}>Download all of it</Button>
        </p>
      )}
    </div>
  )
}

function download(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'text.txt'
  link.click()
  URL.revokeObjectURL(url)
}

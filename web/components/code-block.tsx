import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import styles from './code-block.module.css'
import { IconButton } from './icon-button.tsx'

/** Text that is to be copied as it stands. */
export function CodeBlock({ label, text }: { label: string; text: string }) {
  const [isCopied, setCopied] = useState(false)

  async function copy() {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }

  return (
    <div className={styles.block}>
      <section className={styles.text} aria-label={label} tabIndex={0}>
        <pre>{text}</pre>
      </section>
      {navigator.clipboard && (
        <div className={styles.copy}>
          <IconButton label={isCopied ? 'Copied' : `Copy: ${label}`} onClick={() => void copy()}>
            {isCopied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
          </IconButton>
        </div>
      )}
    </div>
  )
}

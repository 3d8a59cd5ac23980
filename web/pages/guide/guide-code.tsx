import type { ReactNode } from 'react'
import { CopyButton } from '../../components/copy-button.tsx'
import styles from './guide-content.module.css'

const names: Record<string, string> = {
  sh: 'Commands',
  json: 'JSON',
  ts: 'TypeScript',
  python: 'Python',
}

export function GuideCode({
  language,
  place,
  text,
  children,
}: {
  language: string
  place: string
  text: string
  children: ReactNode
}) {
  const label = `${names[language] ?? 'Text'}, ${place}`
  return (
    <div className={styles.codeBlock}>
      <section
        className={`sideways ${styles.codeFrame} ${language === 'sh' || language === 'json' ? styles.codeWrapped : ''}`}
        aria-label={label}
        tabIndex={0}
      >
        <pre>
          <code>{children}</code>
        </pre>
      </section>
      {language !== '' && (
        <div className={styles.codeCopy}>
          <CopyButton what={label} text={text} />
        </div>
      )}
    </div>
  )
}

import { type ReactNode, useEffect } from 'react'
import { showControls } from '../../format/show-controls.ts'
import styles from './embed-page.module.css'

export function EmbedHead({ title, children }: { title: string; children?: ReactNode }) {
  useEffect(() => {
    document.title = `${showControls(title)} · Espalier`
  }, [title])
  return (
    <header className={styles.head}>
      <h1 dir="auto">{showControls(title)}</h1>
      {children}
    </header>
  )
}

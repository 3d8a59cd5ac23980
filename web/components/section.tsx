import { type ReactNode, useId } from 'react'
import styles from './layout.module.css'

export function Section({
  title,
  aside,
  isFlush = false,
  children,
}: {
  title: ReactNode
  aside?: ReactNode
  isFlush?: boolean
  children: ReactNode
}) {
  const heading = useId()
  return (
    <section className={styles.section} aria-labelledby={heading}>
      <header className={styles.sectionHeader}>
        <h2 id={heading}>{title}</h2>
        {aside && <div className={styles.sectionAside}>{aside}</div>}
      </header>
      <div className={isFlush ? styles.sectionFlush : styles.sectionBody}>{children}</div>
    </section>
  )
}

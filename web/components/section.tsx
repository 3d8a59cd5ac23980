import { type ReactNode, useId } from 'react'
import styles from './section.module.css'

/** A part of a page, with a heading. */
export function Section({
  title,
  aside,
  isFlush = false,
  children,
}: {
  title: ReactNode
  /** The content beside the heading. */
  aside?: ReactNode
  /** Without room around what is in it, for tables and plots that reach its edges. */
  isFlush?: boolean
  children: ReactNode
}) {
  const heading = useId()
  return (
    <section className={styles.section} aria-labelledby={heading}>
      <header className={styles.header}>
        <h2 id={heading}>{title}</h2>
        {aside && <div className={styles.aside}>{aside}</div>}
      </header>
      <div className={isFlush ? styles.flush : styles.body}>{children}</div>
    </section>
  )
}

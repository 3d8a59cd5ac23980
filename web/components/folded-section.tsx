import { type ReactNode, useEffect, useId, useState } from 'react'
import styles from './layout.module.css'

export function FoldedSection({
  title,
  state,
  hasErrors,
  children,
}: {
  title: string
  state: string
  hasErrors: boolean
  children: ReactNode
}) {
  const heading = useId()
  const [isOpen, setOpen] = useState(hasErrors)
  useEffect(() => {
    if (hasErrors) setOpen(true)
  }, [hasErrors])
  return (
    <section className={styles.section} aria-labelledby={heading}>
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className={styles.foldedSummary}>
          <h2 id={heading}>{title}</h2>
          <span className={styles.sectionAside}>{state}</span>
        </summary>
        <div className={styles.sectionBody}>{children}</div>
      </details>
    </section>
  )
}

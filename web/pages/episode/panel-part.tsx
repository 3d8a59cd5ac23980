import { type ReactNode, useState } from 'react'
import styles from './node-panel.module.css'

export function PanelPart({
  title,
  note,
  isOpen = false,
  level = 3,
  children,
}: {
  title: ReactNode
  note?: ReactNode
  isOpen?: boolean
  level?: 3 | 4
  children: ReactNode
}) {
  const [isShown, setShown] = useState(isOpen)
  const Heading = `h${level}` as const
  return (
    <details
      className={styles.panelPart}
      data-level={level}
      open={isShown}
      onToggle={(event) => {
        if (event.target === event.currentTarget) setShown(event.currentTarget.open)
      }}
    >
      <summary className={styles.partSummary}>
        <Heading className={styles.partTitle}>{title}</Heading>
        {note !== undefined && <span className={styles.partNote}>{note}</span>}
      </summary>
      {isShown && <div className={styles.partBody}>{children}</div>}
    </details>
  )
}

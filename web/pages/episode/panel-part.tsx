import { type ReactNode, useState } from 'react'
import styles from './node-panel.module.css'

/** One part of a node's panel, which can be closed. What is in it is made when it is opened first. */
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
  /** Of its heading. */
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

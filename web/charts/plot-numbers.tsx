import { type ReactNode, useState } from 'react'
import styles from './plot.module.css'

/** The numbers of a plot, rendered when the reader opens them. */
export function PlotNumbers({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={styles.plotNumbers} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>The numbers as a table</summary>
      {isOpen && children}
    </details>
  )
}

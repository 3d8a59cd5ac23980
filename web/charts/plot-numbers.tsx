import { type ReactNode, useState } from 'react'
import styles from './plot.module.css'

export function PlotNumbers({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={styles.plotNumbers} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>The numbers as a table</summary>
      {isOpen && children}
    </details>
  )
}

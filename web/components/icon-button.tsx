import type { ReactNode } from 'react'
import styles from './button.module.css'

/** A button with a picture only; `label` says in words what it does. */
export function IconButton({
  label,
  onClick,
  isMarked = false,
  isDisabled = false,
  children,
}: {
  label: string
  onClick: () => void
  /** Shown with a dot: there is something. */
  isMarked?: boolean
  isDisabled?: boolean
  children: ReactNode
}) {
  return (
    <button
      type="button"
      className={styles.iconButton}
      aria-label={label}
      title={label}
      onClick={onClick}
      disabled={isDisabled}
    >
      {children}
      {isMarked && <span className={styles.iconMark} />}
    </button>
  )
}

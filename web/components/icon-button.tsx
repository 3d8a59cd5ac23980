import type { ReactNode } from 'react'
import styles from './button.module.css'

/** A button with an icon only; `label` is its accessible name. */
export function IconButton({
  label,
  onClick,
  isMarked = false,
  isDisabled = false,
  children,
}: {
  label: string
  onClick: () => void
  /** Shows a dot on the icon. */
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

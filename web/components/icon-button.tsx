import type { ReactNode } from 'react'
import styles from './button.module.css'

export function IconButton({
  label,
  onClick,
  isMarked = false,
  isDisabled = false,
  children,
}: {
  label: string
  onClick: () => void
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

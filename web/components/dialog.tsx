import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { IconButton } from './icon-button.tsx'
import styles from './layout.module.css'

export function Dialog({
  title,
  isOpen,
  onClose,
  children,
}: {
  title: string
  isOpen: boolean
  onClose: () => void
  children: ReactNode
}) {
  const element = useRef<HTMLDialogElement>(null)
  const heading = useId()

  useEffect(() => {
    const dialog = element.current
    if (dialog === null) return
    if (isOpen && !dialog.open) dialog.showModal()
    if (!isOpen && dialog.open) dialog.close()
  }, [isOpen])

  // Close the dialog before it unmounts, so the focus returns to the previous element.
  useLayoutEffect(() => {
    const dialog = element.current
    return () => dialog?.close()
  }, [])

  // The event of an earlier close comes late: the dialog may be open again by then.
  const close = () => {
    if (element.current?.open !== true) onClose()
  }
  return (
    <dialog ref={element} className={styles.dialog} aria-labelledby={heading} onClose={close}>
      {isOpen && (
        <div className={styles.dialogContent}>
          <header className={styles.dialogHeader}>
            <h2 id={heading}>{title}</h2>
            <IconButton label="Close" onClick={onClose}>
              <X size={18} aria-hidden />
            </IconButton>
          </header>
          {children}
        </div>
      )}
    </dialog>
  )
}

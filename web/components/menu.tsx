import { ChevronDown } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button } from './button.tsx'
import styles from './menu.module.css'

export function Menu({
  label,
  isAtEnd = false,
  children,
}: {
  label: string
  // It stands at the right rim of the page, so its list reaches to the left.
  isAtEnd?: boolean
  children: ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const list = useId()

  useEffect(() => {
    const parts = root.current
    if (!isOpen || parts === null) return
    const isOutside = (target: EventTarget | null) =>
      target instanceof Element && !parts.contains(target) && !target.closest('dialog')
    const closeOutside = (event: Event) => {
      const target = event instanceof FocusEvent ? event.relatedTarget : event.target
      if (isOutside(target)) setOpen(false)
    }
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || (event.target as Element).closest('dialog')) return
      setOpen(false)
      parts.querySelector('button')?.focus()
    }
    document.addEventListener('pointerdown', closeOutside)
    parts.addEventListener('focusout', closeOutside)
    parts.addEventListener('keydown', closeByKey)
    return () => {
      document.removeEventListener('pointerdown', closeOutside)
      parts.removeEventListener('focusout', closeOutside)
      parts.removeEventListener('keydown', closeByKey)
    }
  }, [isOpen])

  return (
    <div ref={root} className={styles.menu}>
      <Button aria-expanded={isOpen} aria-controls={list} onClick={() => setOpen(!isOpen)}>
        {label} <ChevronDown size={16} aria-hidden />
      </Button>
      <div id={list} className={styles.menuList} data-end={isAtEnd} hidden={!isOpen}>
        {children}
      </div>
    </div>
  )
}

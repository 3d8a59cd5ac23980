import { type RefObject, useEffect } from 'react'

/**
 * Listens for keys while something in an element has the focus. Keys that are typed into a field, or pressed with Ctrl, Alt or
 * the command key, belong to the field and the browser.
 *
 * @param onKey - says whether it took the key
 */
export function useKeys(element: RefObject<HTMLElement | null>, onKey: (key: string) => boolean): void {
  useEffect(() => {
    const target = element.current
    if (target === null) return
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return
      if (event.target instanceof Element && event.target.closest('input, select, textarea, dialog')) return
      if (onKey(event.key)) event.preventDefault()
    }
    target.addEventListener('keydown', listen)
    return () => target.removeEventListener('keydown', listen)
  }, [element, onKey])
}

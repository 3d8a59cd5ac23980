import { useLayoutEffect, useRef } from 'react'

/** Layout effects change the handler before the next event, so that a key never reaches the previous page. */
export function usePageKeys(onKey: (key: string, target: Element) => boolean): void {
  const latest = useRef(onKey)
  useLayoutEffect(() => {
    latest.current = onKey
  })
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return
      const { target } = event
      if (!(target instanceof Element) || target.closest('input, select, textarea, dialog')) return
      if (latest.current(event.key, target)) event.preventDefault()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

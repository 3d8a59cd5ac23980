import { useEffect, useRef } from 'react'

export function usePageKeys(onKey: (key: string, target: Element) => boolean): void {
  const latest = useRef(onKey)
  useEffect(() => {
    latest.current = onKey
  })
  useEffect(() => {
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

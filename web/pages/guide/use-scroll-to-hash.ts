import { useEffect } from 'react'
import { useLocation } from 'react-router'

/**
 * Brings what the address names after `#` into view. The page's text is loaded after its address, so the browser cannot; and a link
 * that is followed twice leads there twice.
 */
export function useScrollToHash(): void {
  const location = useLocation()
  useEffect(() => {
    const { hash } = location
    if (hash === '') return
    document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView()
  }, [location])
}

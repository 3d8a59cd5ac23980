import { type RefObject, useEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'

/**
 * Where a page opens and what had the focus went with the page before, such as the link that led here, the page has it: the next
 * Tab goes into it, and a screen reader begins to read it.
 */
export function useFocusOnPage(page: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation()
  const isRedirected = useNavigationType() === NavigationType.Replace
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    if (!isRedirected && document.activeElement === document.body) {
      page.current?.focus({ preventScroll: true })
    }
  }, [page, pathname, isRedirected])
}

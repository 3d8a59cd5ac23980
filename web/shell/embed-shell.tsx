import { ExternalLink } from 'lucide-react'
import { type MouseEvent, type RefObject, Suspense, useLayoutEffect, useRef } from 'react'
import { Outlet, useLocation } from 'react-router'
import { LoadingState } from '../components/loading-state.tsx'
import { fullAddress } from '../format/embed-address.ts'
import styles from './embed-shell.module.css'

/**
 * A page in a frame of a notebook: no navigation and no action. Its links open tabs, because this frame must never
 * show a page with actions to a site that frames it.
 */
export function EmbedShell() {
  const page = useRef<HTMLElement>(null)
  const location = useLocation()
  useReportedHeight(page)
  return (
    <main ref={page} className={styles.embed} onClickCapture={openInTab}>
      <Suspense fallback={<LoadingState what="the page" />}>
        <Outlet />
      </Suspense>
      <p className={styles.full}>
        <a href={fullAddress(location)} target="_blank" rel="noreferrer">
          Open the full page <ExternalLink size={14} aria-hidden />
        </a>
      </p>
    </main>
  )
}

function openInTab(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null
  if (!(link instanceof HTMLAnchorElement) || link.hasAttribute('download')) return
  event.preventDefault()
  window.open(fullAddress(new URL(link.href)), '_blank', 'noreferrer')
}

function useReportedHeight(page: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = page
    if (current === null || window.parent === window) return
    const report = () =>
      window.parent.postMessage(
        { type: 'espalier-height', height: Math.ceil(current.getBoundingClientRect().height) },
        '*',
      )
    const observer = new ResizeObserver(report)
    observer.observe(current)
    return () => observer.disconnect()
  }, [page])
}

import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/**
 * How wide an element is, in pixels, also after it has changed.
 *
 * @param before - what is taken until the element is on a page
 */
export function useWidth<Element extends HTMLElement>(
  before: number,
): { element: RefObject<Element | null>; width: number } {
  const element = useRef<Element>(null)
  const [width, setWidth] = useState(before)

  useLayoutEffect(() => {
    const measured = element.current
    if (measured === null) return
    setWidth(measured.clientWidth)
    const observer = new ResizeObserver(() => setWidth(measured.clientWidth))
    observer.observe(measured)
    return () => observer.disconnect()
  }, [])

  return { element, width }
}

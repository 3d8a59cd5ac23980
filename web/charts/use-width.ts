import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/**
 * Follows the width of an element, in pixels.
 *
 * @param before - the width until the element is on a page
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

import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react'

/**
 * Keeps the focus within an element when a change removes the focused child. Otherwise the focus falls to the page,
 * and the element's keys stop working.
 *
 * @param changed - a change of this value may remove the focused child
 * @param next - the element to focus then
 */
export function useKeptFocus(
  root: RefObject<HTMLElement | null>,
  changed: unknown,
  next: () => HTMLElement | null | undefined,
): void {
  const wasInside = useRef(false)
  const find = useEffectEvent(next)

  // In the task of the change: a key that came before the focus would be lost.
  useLayoutEffect(() => {
    const note = () => {
      wasInside.current = root.current?.contains(document.activeElement) ?? false
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [root])

  const seen = useRef(changed)
  useLayoutEffect(() => {
    if (seen.current === changed) return
    seen.current = changed
    if (wasInside.current && document.activeElement === document.body) {
      find()?.focus({ preventScroll: true })
    }
  }, [changed])
}

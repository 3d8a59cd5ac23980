import { type RefObject, useEffect, useRef } from 'react'
import { useKeptFocus } from '../../service/use-kept-focus.ts'

/**
 * Keeps the focus where it was in the first table of an element when the button that had it goes with its run: on removing the run
 * that takes its place, on the run that has become the first, or, where none is left, on the first button.
 */
export function useKeptRow(runs: readonly string[]): RefObject<HTMLDivElement | null> {
  const root = useRef<HTMLDivElement>(null)
  const before = useRef(runs)
  useKeptFocus(root, runs.join(), () => {
    const gone = before.current.findIndex((run) => !runs.includes(run))
    const rows = [...(root.current?.querySelector('tbody')?.rows ?? [])]
    if (gone === -1) return rows[0]?.querySelector('a')
    const button = (rows[gone] ?? rows.at(-1))?.querySelector<HTMLElement>('td:last-child button:last-child')
    return button ?? root.current?.querySelector('button')
  })
  useEffect(() => {
    before.current = runs
  }, [runs])
  return root
}

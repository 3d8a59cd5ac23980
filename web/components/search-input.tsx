import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { isLeaving } from '../service/leaving.ts'
import type { FieldInput } from './field.tsx'

const typingPauseMilliseconds = 300

/**
 * A search input. It reports the trimmed text when typing pauses. If `value` changes otherwise, such as by going
 * back, the input follows.
 */
export function SearchInput({
  value,
  onSettle,
  placeholder = 'holds this text',
  ...field
}: Partial<FieldInput> & {
  name?: string
  'aria-label'?: string
  value: string
  onSettle: (text: string) => void
  placeholder?: string
}) {
  const [typed, setTyped] = useState(value)
  const settled = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const report = useRef(onSettle)

  useLayoutEffect(() => {
    report.current = onSettle
  })
  useLayoutEffect(() => {
    if (value === settled.current) return
    clearTimeout(timer.current)
    settled.current = value
    setTyped(value)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])

  function type(text: string) {
    setTyped(text)
    clearTimeout(timer.current)
    const { pathname } = location
    timer.current = setTimeout(() => {
      if (isLeaving(pathname)) return
      settled.current = text.trim()
      report.current(settled.current)
    }, typingPauseMilliseconds)
  }

  return (
    <input
      {...field}
      type="search"
      dir="auto"
      maxLength={200}
      autoComplete="off"
      spellCheck={false}
      placeholder={placeholder}
      value={typed}
      onChange={({ target }) => type(target.value)}
    />
  )
}

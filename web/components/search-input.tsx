import { useEffect, useRef, useState } from 'react'
import type { FieldInput } from './field.tsx'

/** Milliseconds after the last key until a text counts. */
const typingPause = 300

/**
 * A text that something is looked for by. What is typed stands at once, and is told, without blanks around it, when typing pauses;
 * where `value` changes otherwise, such as by going back, the input follows.
 */
export function SearchInput({
  value,
  onSettle,
  placeholder = 'holds this text',
  ...field
}: Partial<FieldInput> & { value: string; onSettle: (text: string) => void; placeholder?: string }) {
  const [typed, setTyped] = useState(value)
  const told = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const tell = useRef(onSettle)

  useEffect(() => {
    tell.current = onSettle
  })
  useEffect(() => {
    if (value === told.current) return
    clearTimeout(timer.current)
    told.current = value
    setTyped(value)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])

  function type(text: string) {
    setTyped(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      told.current = text.trim()
      tell.current(told.current)
    }, typingPause)
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

import { useState } from 'react'
import type { Json } from '../../../shared/core/contracts/json.ts'
import type { FieldInput } from '../field.tsx'
import { parseText, toText } from './field-text.ts'
import { type FieldShape, isSame } from './read-fields.ts'

/**
 * A text input for a value other than plain text. It keeps the typed text (`1.`, an empty line) while that text still
 * parses to the value.
 */
export function DraftInput({
  shape,
  value,
  onChange,
  ...rest
}: FieldInput & {
  shape: FieldShape
  value: Json | undefined
  onChange: (value: Json | undefined) => void
  placeholder: string
  list?: string
}) {
  const [draft, setDraft] = useState('')
  const text = isSame(parseText(shape, draft), value) ? draft : toText(shape, value)
  const typed = (next: string) => {
    setDraft(next)
    onChange(parseText(shape, next))
  }
  if (shape.kind === 'lines' || shape.kind === 'json') {
    const { placeholder, list: _, ...area } = rest
    return (
      <textarea
        {...area}
        rows={3}
        spellCheck={false}
        dir="auto"
        value={text}
        placeholder={placeholder || (shape.kind === 'lines' ? 'one a line' : 'JSON')}
        onChange={({ target }) => typed(target.value)}
      />
    )
  }
  return (
    <input
      {...rest}
      type="text"
      inputMode={shape.kind === 'number' ? 'decimal' : 'text'}
      autoComplete="off"
      spellCheck={false}
      dir="auto"
      value={text}
      onChange={({ target }) => typed(target.value)}
    />
  )
}

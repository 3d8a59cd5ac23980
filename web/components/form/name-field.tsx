import { Field } from '../field.tsx'

export function NameField({
  value,
  error,
  onChange,
}: {
  value: string | undefined
  error: string | undefined
  onChange: (name: string) => void
}) {
  return (
    <Field label="Name" hint="For people; it may be left out." error={error}>
      {(field) => (
        <input
          {...field}
          type="text"
          dir="auto"
          maxLength={200}
          autoComplete="off"
          value={value ?? ''}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  )
}

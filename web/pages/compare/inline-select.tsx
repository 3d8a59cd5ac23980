import { InlineField } from '../../components/inline-field.tsx'

export function InlineSelect<Value extends string>({
  label,
  hint,
  value,
  choices,
  onChoose,
}: {
  label: string
  hint: string
  value: Value
  choices: readonly { value: Value; name: string }[]
  onChoose: (value: Value) => void
}) {
  return (
    <InlineField label={label} hint={hint}>
      {(field) => (
        <select
          {...field}
          value={value}
          onChange={(event) => {
            const chosen = choices.find((choice) => choice.value === event.target.value)
            if (chosen) onChoose(chosen.value)
          }}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.name}
            </option>
          ))}
        </select>
      )}
    </InlineField>
  )
}

import { showControls } from '../format/show-controls.ts'
import { Field } from './field.tsx'
import { SearchInput } from './search-input.tsx'

export type FilterChoice<Name> = readonly [
  name: Name,
  label: string,
  known: readonly string[],
  /** The text of each known value, unless it is the value itself. */
  words?: Readonly<Record<string, string>>,
]

export function FilterChoices<Name extends string>({
  choices,
  textOf,
  onSet,
}: {
  choices: readonly FilterChoice<Name>[]
  textOf: (name: Name) => string
  onSet: (name: Name, value: string) => void
}) {
  return choices.map(([name, label, known, words = {}]) => (
    <Field key={name} label={label}>
      {(field) => (
        <select {...field} value={textOf(name)} onChange={({ target }) => onSet(name, target.value)}>
          <option value="">any</option>
          {[...new Set([...known, ...(textOf(name) === '' ? [] : [textOf(name)])])].map((value) => (
            <option key={value} value={value}>
              {Object.hasOwn(words, value) ? words[value] : showControls(value)}
            </option>
          ))}
        </select>
      )}
    </Field>
  ))
}

export function FilterTexts<Name extends string>({
  texts,
  textOf,
  onSet,
}: {
  texts: readonly (readonly [name: Name, label: string, placeholder: string, error?: string | null])[]
  textOf: (name: Name) => string
  onSet: (name: Name, value: string) => void
}) {
  return texts.map(([name, label, placeholder, error]) => (
    <Field key={name} label={label} error={error}>
      {(field) => (
        <SearchInput
          {...field}
          placeholder={placeholder}
          value={textOf(name)}
          onSettle={(text) => onSet(name, text)}
        />
      )}
    </Field>
  ))
}

import { type ReactNode, useId } from 'react'
import type { Json } from '../../../shared/core/contracts/json.ts'
import { Field, type FieldInput } from '../field.tsx'
import { DraftInput } from './draft-input.tsx'
import { describeDefault, problemOf, toText } from './field-text.ts'
import { isSame, type SchemaField } from './read-fields.ts'
import styles from './schema-fields.module.css'
import type { Suggestion } from './schema-fields.tsx'

interface Entry {
  field: SchemaField
  value: Json | undefined
  onChange: (value: Json | undefined) => void
}

export function SchemaFieldInput({
  error,
  suggestions,
  whereUnset,
  ...entry
}: Entry & { error: string | undefined; suggestions: readonly Suggestion[]; whereUnset: string }) {
  const { field, value } = entry
  const list = useId()
  return (
    <Field
      label={<code className={styles.name}>{field.name}</code>}
      hint={field.description}
      error={problemOf(field, value) ?? error}
    >
      {(input) => {
        if (field.shape.kind === 'choice') return <Choice {...entry} input={input} />
        if (field.shape.kind === 'switch') return <Switch {...entry} input={input} />
        const text = (
          <DraftInput
            {...input}
            shape={field.shape}
            value={value}
            onChange={entry.onChange}
            placeholder={describeDefault(field) || whereUnset}
            {...(suggestions.length > 0 && { list })}
          />
        )
        if (field.isNullable && field.fallback !== null) return <OrNone {...entry}>{text}</OrNone>
        return (
          <>
            {text}
            {suggestions.length > 0 && (
              <datalist id={list}>
                {suggestions.map((each) => (
                  <option key={each.value} value={each.value} label={each.label} />
                ))}
              </datalist>
            )}
          </>
        )
      }}
    </Field>
  )
}

function Choice({ field, value, onChange, input }: Entry & { input: FieldInput }) {
  const { fallback, shape } = field
  const choices = shape.kind === 'choice' ? shape.choices : []
  const current = choices.findIndex((choice) => isSame(choice, value ?? fallback))
  const isForeign = value !== undefined && current < 0
  return (
    <select
      {...input}
      value={current}
      onChange={({ target }) => {
        const next = choices[Number(target.value)]
        onChange(isSame(next, fallback) ? undefined : next)
      }}
    >
      {(fallback === undefined || isForeign) && (
        <option value={-1}>{isForeign ? toText(shape, value) : 'not set'}</option>
      )}
      {choices.map((choice, at) => (
        <option key={toText(shape, choice)} value={at}>
          {toText(shape, choice)}
          {isSame(choice, fallback) ? ' (default)' : ''}
        </option>
      ))}
    </select>
  )
}

function Switch({ field, value, onChange, input }: Entry & { input: FieldInput }) {
  return (
    <input
      {...input}
      type="checkbox"
      checked={(value ?? field.fallback) === true}
      onChange={({ target }) =>
        onChange(target.checked === (field.fallback === true) ? undefined : target.checked)
      }
    />
  )
}

function OrNone({ field, value, onChange, children }: Entry & { children: ReactNode }) {
  return (
    <div className={styles.orNone}>
      {value === null ? <span className={styles.noneChosen}>none</span> : children}
      <label>
        <input
          type="checkbox"
          checked={value === null}
          onChange={({ target }) => onChange(target.checked ? null : undefined)}
        />{' '}
        none<span className="visually-hidden"> for {field.name}</span>
      </label>
    </div>
  )
}

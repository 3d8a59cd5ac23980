import type { Json, JsonObject } from '../../../shared/core/contracts/json.ts'
import { SchemaFieldInput } from './schema-field-input.tsx'
import styles from './schema-fields.module.css'
import { type FindIdle, setParameter, visibleFields } from './settle-value.ts'

export interface Suggestion {
  value: string
  label: string
}

export function SchemaFields({
  schema,
  value,
  onChange,
  errors = {},
  omit = [],
  findIdle,
  suggestions = {},
  whereUnset = 'not set',
}: {
  schema: JsonObject
  value: JsonObject
  onChange: (value: JsonObject) => void
  errors?: Record<string, string>
  omit?: readonly string[]
  findIdle?: FindIdle
  suggestions?: Record<string, readonly Suggestion[]>
  /** The placeholder of an empty input without a default, such as `no limit`. @default 'not set' */
  whereUnset?: string
}) {
  const fields = visibleFields(schema, value, findIdle).filter(({ name }) => !omit.includes(name))
  const change = (name: string, next: Json | undefined) =>
    onChange(setParameter(schema, value, [name, next], findIdle))
  if (fields.length === 0) return <p className={styles.none}>It takes no parameters.</p>
  return (
    <div className={styles.fields}>
      {fields.map((field) => (
        <SchemaFieldInput
          key={`${field.name} ${field.shape.kind}`}
          field={field}
          value={value[field.name]}
          onChange={(next) => change(field.name, next)}
          error={errors[field.name]}
          suggestions={suggestions[field.name] ?? []}
          whereUnset={whereUnset}
        />
      ))}
    </div>
  )
}

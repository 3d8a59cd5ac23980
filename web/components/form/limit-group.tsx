import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { SchemaFields } from '../schema-fields/schema-fields.tsx'
import styles from './form.module.css'

export function LimitGroup({
  legend,
  note,
  ...fields
}: {
  legend: string
  note: string
  schema: JsonObject
  value: JsonObject
  onChange: (limits: JsonObject) => void
  errors: Record<string, string>
}) {
  return (
    <fieldset className={styles.group}>
      <legend>{legend}</legend>
      <p className="soft">{note}</p>
      <SchemaFields {...fields} whereUnset="no limit" />
    </fieldset>
  )
}

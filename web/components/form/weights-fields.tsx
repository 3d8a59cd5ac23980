import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { SchemaFields } from '../schema-fields/schema-fields.tsx'
import styles from './form.module.css'
import { loraSchema } from './form-schemas.ts'

export function WeightsFields({
  lora,
  errors,
  onChange,
}: {
  lora: JsonObject | null | undefined
  errors: Record<string, string>
  onChange: (lora: JsonObject | undefined) => void
}) {
  return (
    <div className={styles.stack}>
      <label>
        <input
          type="checkbox"
          checked={lora != null}
          onChange={({ target }) => onChange(target.checked ? {} : undefined)}
        />{' '}
        Train adapters (LoRA) in place of all weights
      </label>
      {lora != null && <SchemaFields schema={loraSchema} value={lora} onChange={onChange} errors={errors} />}
    </div>
  )
}

import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import styles from '../../components/form/form.module.css'
import { mixSchema, otherSchema } from '../../components/form/form-schemas.ts'
import { NameField } from '../../components/form/name-field.tsx'
import type { FormPart } from '../../components/form/use-request-form.ts'
import { SchemaFields } from '../../components/schema-fields/schema-fields.tsx'
import { Section } from '../../components/section.tsx'
import { withField } from '../../format/with-field.ts'
import type { DatasetDraft } from './dataset-draft.ts'

export function OtherSection({ draft, onChange, errors }: FormPart<DatasetDraft>) {
  const { pictures, rows_per_file, seed, ...rest } = draft
  const value: JsonObject = {
    ...(pictures !== undefined && { pictures }),
    ...(seed !== undefined && { seed }),
    ...(rows_per_file !== undefined && { rows_per_file }),
  }
  return (
    <Section title="Name and files">
      <div className={styles.stack}>
        <NameField
          value={draft.name}
          error={errors('').name}
          onChange={(name) => onChange(withField(draft, 'name', name))}
        />
        <SchemaFields
          schema={otherSchema}
          value={value}
          onChange={(next) => onChange({ ...rest, ...next } as DatasetDraft)}
          errors={errors('')}
        />
        <details open={draft.mix !== undefined}>
          <summary>General conversations mixed in</summary>
          <SchemaFields
            schema={mixSchema}
            value={(draft.mix ?? {}) as JsonObject}
            onChange={(mix) => onChange(withField(draft, 'mix', mix as DatasetDraft['mix']))}
            errors={errors('mix')}
          />
        </details>
      </div>
    </Section>
  )
}

import type { JsonObject } from '../../../shared/contracts/json.ts'
import styles from '../../components/form/form.module.css'
import { SchemaFields } from '../../components/schema-fields/schema-fields.tsx'
import { Section } from '../../components/section.tsx'
import { withField } from '../../format/with-field.ts'
import type { FormPart } from './form-part.ts'
import { gatesSchema } from './gates-schema.ts'

/** What is kept out, where the request has a say in it. */
export function GatesSection({ draft, onChange, errors }: FormPart) {
  return (
    <Section title="Kept out">
      <div className={styles.stack}>
        <p className="soft">
          Rows with a wrong loss mask, rows that the format cannot hold as they are, and rows whose task or
          prompt is also in another split are dropped always. Each row that is dropped is counted.
        </p>
        <SchemaFields
          schema={gatesSchema}
          value={(draft.gates ?? {}) as JsonObject}
          onChange={(gates) => onChange(withField(draft, 'gates', gates))}
          errors={errors('gates')}
        />
      </div>
    </Section>
  )
}

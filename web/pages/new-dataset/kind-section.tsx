import type { DatasetKindInfo } from '../../../shared/core/contracts/dataset.ts'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import styles from '../../components/form/form.module.css'
import { OptionList } from '../../components/form/option-list.tsx'
import type { FormPart } from '../../components/form/use-request-form.ts'
import { InlineCode } from '../../components/inline-code.tsx'
import { SchemaFields } from '../../components/schema-fields/schema-fields.tsx'
import { Section } from '../../components/section.tsx'
import { withField } from '../../format/with-field.ts'
import { type DatasetDraft, withKind } from './dataset-draft.ts'

export function KindSection({
  draft,
  onChange,
  errors,
  kinds,
}: FormPart<DatasetDraft> & { kinds: readonly DatasetKindInfo[] }) {
  const chosen = draft.kind ?? 'sft'
  const kind = kinds.find(({ id }) => id === chosen)
  const options = kinds.map(({ asks_model, description, id }) => ({
    id,
    text: asks_model ? `${description} May ask a model.` : description,
    misfit: null,
  }))
  const choose = (id: string) => {
    const next = kinds.find((each) => each.id === id)
    if (next !== undefined) onChange(withKind(draft, next))
  }
  return (
    <Section title="What a row teaches">
      <div className={styles.stack}>
        <OptionList legend="Kind" options={options} chosen={chosen} onChoose={choose} />
        {kind && errors('').kind && <p className={styles.error}>{errors('').kind}</p>}
        {kind === undefined ? (
          <p className={styles.error}>There is no kind “{chosen}”. Choose one of these.</p>
        ) : (
          <>
            <p className="soft">
              <InlineCode text={`Source: ${kind.source}`} />
            </p>
            <SchemaFields
              schema={kind.parameters}
              value={(draft.parameters ?? {}) as JsonObject}
              onChange={(parameters) => onChange(withField(draft, 'parameters', parameters))}
              errors={errors('parameters')}
            />
          </>
        )}
      </div>
    </Section>
  )
}

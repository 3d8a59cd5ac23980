import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import type { TrainerInfo } from '../../../shared/core/contracts/training.ts'
import { Field } from '../../components/field.tsx'
import styles from '../../components/form/form.module.css'
import { askingSchema, loopPaceSchema } from '../../components/form/form-schemas.ts'
import { NameField } from '../../components/form/name-field.tsx'
import { TrainerField } from '../../components/form/trainer-field.tsx'
import type { FormPart } from '../../components/form/use-request-form.ts'
import { WeightsFields } from '../../components/form/weights-fields.tsx'
import { SchemaFields } from '../../components/schema-fields/schema-fields.tsx'
import { Section } from '../../components/section.tsx'
import { pickFields, withFields } from '../../format/pick-fields.ts'
import { withField } from '../../format/with-field.ts'
import type { LoopDraft } from './loop-draft.ts'

export function LoopTrainingSection({
  draft,
  onChange,
  errors,
  trainers,
}: FormPart<LoopDraft> & { trainers: readonly TrainerInfo[] }) {
  const formats = trainers.find(({ id }) => id === (draft.trainer ?? 'local'))?.formats ?? []
  const format = draft.format ?? 'trl'
  return (
    <>
      <Section title="Training and asking">
        <div className={styles.stack}>
          <div className={styles.fields}>
            <TrainerField
              trainer={draft.trainer}
              trainers={trainers}
              error={errors('').trainer}
              onChange={(trainer) => onChange(withField(draft, 'trainer', trainer))}
            />
            <Field label="Format of the datasets" error={errors('').format}>
              {(field) => (
                <select
                  {...field}
                  value={format}
                  onChange={({ target }) =>
                    onChange(withField(draft, 'format', target.value as LoopDraft['format']))
                  }
                >
                  {[...new Set([format, ...formats])].map((id) => (
                    <option key={id}>{id}</option>
                  ))}
                </select>
              )}
            </Field>
          </div>
          <WeightsFields
            lora={draft.lora as JsonObject | null | undefined}
            errors={errors('lora')}
            onChange={(lora) => {
              const { lora: _, ...rest } = draft
              onChange((lora === undefined ? rest : { ...rest, lora }) as LoopDraft)
            }}
          />
          <fieldset className={styles.group}>
            <legend>How models are asked</legend>
            <p className="soft">Temperatures are settings of the recipe.</p>
            <SchemaFields
              schema={askingSchema}
              value={(draft.model ?? {}) as JsonObject}
              onChange={(model) => onChange(withField(draft, 'model', model))}
              errors={errors('model')}
            />
          </fieldset>
        </div>
      </Section>
      <Section title="Name and pace">
        <div className={styles.stack}>
          <NameField
            value={draft.name}
            error={errors('').name}
            onChange={(name) => onChange(withField(draft, 'name', name))}
          />
          <SchemaFields
            schema={loopPaceSchema}
            value={pickFields(draft as JsonObject, loopPaceSchema)}
            onChange={(next) => onChange(withFields(draft, loopPaceSchema, next))}
            errors={errors('')}
          />
        </div>
      </Section>
    </>
  )
}

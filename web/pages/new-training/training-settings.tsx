import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import type { TrainerInfo } from '../../../shared/core/contracts/training.ts'
import styles from '../../components/form/form.module.css'
import { trainingSettingsSchema, workLimitsSchema } from '../../components/form/form-schemas.ts'
import { LimitGroup } from '../../components/form/limit-group.tsx'
import { NameField } from '../../components/form/name-field.tsx'
import { TrainerField } from '../../components/form/trainer-field.tsx'
import type { FormPart } from '../../components/form/use-request-form.ts'
import { WeightsFields } from '../../components/form/weights-fields.tsx'
import { SchemaFields } from '../../components/schema-fields/schema-fields.tsx'
import { Section } from '../../components/section.tsx'
import { withField } from '../../format/with-field.ts'
import type { TrainingDraft } from './training-draft.ts'

export function TrainingSettings({
  draft,
  onChange,
  errors,
  trainers,
}: FormPart<TrainingDraft> & { trainers: readonly TrainerInfo[] }) {
  const { checkpoint_steps, keep_checkpoints, seed, ...rest } = draft
  const value: JsonObject = {
    ...(seed !== undefined && { seed }),
    ...(checkpoint_steps !== undefined && { checkpoint_steps }),
    ...(keep_checkpoints !== undefined && { keep_checkpoints }),
  }
  return (
    <>
      <Section title="Weights and limits">
        <div className={styles.stack}>
          <WeightsFields
            lora={draft.lora as JsonObject | null | undefined}
            errors={errors('lora')}
            onChange={(lora) => {
              const { lora: _, ...others } = draft
              onChange((lora === undefined ? others : { ...others, lora }) as TrainingDraft)
            }}
          />
          <LimitGroup
            legend="Limits of the training"
            note="Reaching one pauses the training at a checkpoint; it can go on with a higher one."
            schema={workLimitsSchema}
            value={(draft.limits ?? {}) as JsonObject}
            onChange={(limits) => onChange(withField(draft, 'limits', limits))}
            errors={errors('limits')}
          />
        </div>
      </Section>
      <Section title="Name, trainer and checkpoints">
        <div className={styles.stack}>
          <NameField
            value={draft.name}
            error={errors('').name}
            onChange={(name) => onChange(withField(draft, 'name', name))}
          />
          <TrainerField
            trainer={draft.trainer}
            trainers={trainers}
            error={errors('').trainer}
            onChange={(trainer) => onChange(withField(draft, 'trainer', trainer))}
          />
          <SchemaFields
            schema={trainingSettingsSchema}
            value={value}
            onChange={(next) => onChange({ ...rest, ...next } as TrainingDraft)}
            errors={errors('')}
          />
        </div>
      </Section>
    </>
  )
}

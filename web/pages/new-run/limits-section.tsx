import form from '../../components/form/form.module.css'
import { LimitGroup } from '../../components/form/limit-group.tsx'
import { episodeLimitsSchema, runLimitsSchema } from '../../components/form/limits-schemas.ts'
import { SchemaFields } from '../../components/schema-fields/schema-fields.tsx'
import { Section } from '../../components/section.tsx'
import type { FormPart } from './form-part.ts'
import { settingsSchema } from './request-schemas.ts'

/** How often and how fast it is played, and what stops it. */
export function LimitsSection({ draft, onChange, errors }: FormPart) {
  return (
    <Section title="Repetition and limits">
      <div className={form.stack}>
        <SchemaFields
          schema={settingsSchema}
          value={draft.settings}
          onChange={(settings) => onChange({ ...draft, settings })}
          errors={errors('')}
        />
        <LimitGroup
          legend="Limits of the run"
          note="Reaching one pauses the run; it can go on with a higher one."
          schema={runLimitsSchema}
          value={draft.limits}
          onChange={(limits) => onChange({ ...draft, limits })}
          errors={errors('limits')}
        />
        <LimitGroup
          legend="Limits of each episode"
          note="Reaching one ends the episode as limited."
          schema={episodeLimitsSchema}
          value={draft.episodeLimits}
          onChange={(episodeLimits) => onChange({ ...draft, episodeLimits })}
          errors={errors('episode_limits')}
        />
      </div>
    </Section>
  )
}

import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { FoldedSection } from '../../components/folded-section.tsx'
import form from '../../components/form/form.module.css'
import { episodeLimitsSchema, runLimitsSchema, settingsSchema } from '../../components/form/form-schemas.ts'
import { LimitGroup } from '../../components/form/limit-group.tsx'
import type { FormPart } from '../../components/form/use-request-form.ts'
import { SchemaFields } from '../../components/schema-fields/schema-fields.tsx'
import type { RunDraft } from './run-draft.ts'

export function LimitsSection({ draft, onChange, errors }: FormPart<RunDraft>) {
  const wrong = [
    ...Object.keys(errors('')).filter((name) => name in (settingsSchema.properties as JsonObject)),
    ...Object.keys(errors('limits')),
    ...Object.keys(errors('episode_limits')),
  ]
  return (
    <FoldedSection title="Repetition and limits" state={describeLimits(draft)} hasErrors={wrong.length > 0}>
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
          note="An episode that reaches one ends: it is out of steps or budget."
          schema={episodeLimitsSchema}
          value={draft.episodeLimits}
          onChange={(episodeLimits) => onChange({ ...draft, episodeLimits })}
          errors={errors('episode_limits')}
        />
      </div>
    </FoldedSection>
  )
}

function describeLimits({ settings, limits, episodeLimits }: FormPart<RunDraft>['draft']): string {
  const named = [
    ...Object.entries(settings),
    ...Object.entries(limits).map(([name, value]) => [`limits.${name}`, value] as const),
    ...Object.entries(episodeLimits).map(([name, value]) => [`episode_limits.${name}`, value] as const),
  ]
  return named.map(([name, value]) => `${name} ${value}`).join(' · ') || 'played once, no limits'
}

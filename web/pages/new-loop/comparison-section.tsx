import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import styles from '../../components/form/form.module.css'
import {
  comparisonSchema,
  episodeLimitsSchema,
  workLimitsSchema,
} from '../../components/form/form-schemas.ts'
import { LimitGroup } from '../../components/form/limit-group.tsx'
import { SchemaFields } from '../../components/schema-fields/schema-fields.tsx'
import { Section } from '../../components/section.tsx'
import { pickFields, withFields } from '../../format/pick-fields.ts'
import { withField } from '../../format/with-field.ts'
import type { LoopFormPart } from './loop-recipe-section.tsx'

export function ComparisonSection({ draft, onChange, errors }: LoopFormPart) {
  return (
    <Section title="Comparison and limits">
      <div className={styles.stack}>
        <SchemaFields
          schema={comparisonSchema}
          value={pickFields(draft as JsonObject, comparisonSchema)}
          onChange={(next) => onChange(withFields(draft, comparisonSchema, next))}
          errors={errors('')}
        />
        <LimitGroup
          legend="Limits of the loop"
          note="Of all stages together. Reaching one pauses the loop; it can go on with a higher one."
          schema={workLimitsSchema}
          value={(draft.limits ?? {}) as JsonObject}
          onChange={(limits) => onChange(withField(draft, 'limits', limits))}
          errors={errors('limits')}
        />
        <LimitGroup
          legend="Limits of each episode"
          note="An episode that reaches one ends: it is out of steps or budget."
          schema={episodeLimitsSchema}
          value={(draft.episode_limits ?? {}) as JsonObject}
          onChange={(limits) => onChange(withField(draft, 'episode_limits', limits))}
          errors={errors('episode_limits')}
        />
      </div>
    </Section>
  )
}

import { formatCount } from '../../../shared/core/client/format-quantity.ts'
import type { EndpointInfo } from '../../../shared/core/contracts/catalogue.ts'
import type { DatasetPreview } from '../../../shared/core/contracts/dataset-preview.ts'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import styles from '../../components/form/form.module.css'
import { runLimitsSchema } from '../../components/form/form-schemas.ts'
import { ModelFields } from '../../components/form/model-fields.tsx'
import type { FormPart } from '../../components/form/use-request-form.ts'
import { Notice } from '../../components/notice.tsx'
import { SchemaFields } from '../../components/schema-fields/schema-fields.tsx'
import { Section } from '../../components/section.tsx'
import { withField } from '../../format/with-field.ts'
import type { DatasetDraft } from './dataset-draft.ts'

export function AskingSection({
  draft,
  onChange,
  errors,
  endpoints,
  asks,
}: FormPart<DatasetDraft> & {
  endpoints: readonly EndpointInfo[]
  asks: DatasetPreview['asks'] | undefined
}) {
  const { endpoint = '', id = '', ...settings } = draft.model ?? {}
  if (asks === null && draft.model === undefined && draft.limits === undefined) {
    return (
      <Section title="Asking a model">
        <p className="soft">With these parameters no model is asked: rows are made of what was played.</p>
      </Section>
    )
  }
  return (
    <Section title="Asking a model">
      <div className={styles.stack}>
        <Notice tone="warn">
          <p>
            Building these rows asks a model, which costs what its endpoint charges
            {asks
              ? `: ${asks.endpoint}/${asks.model} about up to ${formatCount(asks.episodes)} episodes`
              : ''}
            . It is done by a run of its own, with its journals and its cost. At a limit that run is paused
            and the build waits, until it is resumed.
          </p>
        </Notice>
        <div className={styles.fields}>
          <ModelFields
            endpoint={endpoint}
            model={id}
            endpoints={endpoints}
            errors={errors('model')}
            fallback="as the first run’s verifier, or its model"
            onChange={(choice) =>
              onChange(
                withField(draft, 'model', {
                  ...settings,
                  ...(choice.endpoint !== '' && { endpoint: choice.endpoint }),
                  ...(choice.model !== '' && { id: choice.model }),
                }),
              )
            }
          />
        </div>
        {errors('').model && <p className={styles.error}>{errors('').model}</p>}
        {errors('').limits && <p className={styles.error}>{errors('').limits}</p>}
        <SchemaFields
          schema={runLimitsSchema}
          value={(draft.limits ?? {}) as JsonObject}
          onChange={(limits) => onChange(withField(draft, 'limits', limits))}
          errors={errors('limits')}
          whereUnset="no limit"
        />
      </div>
    </Section>
  )
}

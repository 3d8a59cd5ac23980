import { formatCount } from '../../../shared/core/client/format-quantity.ts'
import type { EnvironmentInfo } from '../../../shared/core/contracts/catalogue.ts'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { Field } from '../../components/field.tsx'
import form from '../../components/form/form.module.css'
import { placeSchema } from '../../components/form/form-schemas.ts'
import type { FormPart } from '../../components/form/use-request-form.ts'
import { InlineCode } from '../../components/inline-code.tsx'
import { SchemaFields } from '../../components/schema-fields/schema-fields.tsx'
import { Section } from '../../components/section.tsx'
import styles from './new-run-page.module.css'
import { partOf, replaceDefaults } from './preset-defaults.ts'
import { type RunDraft, withEnvironment } from './run-draft.ts'

export function EnvironmentSection({
  draft,
  onChange,
  errors,
  environments,
  defaults,
}: FormPart<RunDraft> & { environments: readonly EnvironmentInfo[]; defaults: JsonObject }) {
  const chosen = environments.find(({ id }) => id === draft.environment)
  return (
    <Section title="What is played">
      <div className={form.stack}>
        <div className={styles.fieldPair}>
          <Field label="Environment" error={errors('').environment}>
            {(field) => (
              <select
                {...field}
                value={draft.environment}
                onChange={({ target }) => {
                  const next = environments.find(({ id }) => id === target.value)
                  if (next !== undefined) onChange(withEnvironment(draft, next))
                }}
              >
                {chosen === undefined && (
                  <option value={draft.environment}>{draft.environment || 'choose one'}</option>
                )}
                {environments.map(({ id }) => (
                  <option key={id}>{id}</option>
                ))}
              </select>
            )}
          </Field>
          <Field label="Name of the run" hint="For people; it may be left out." error={errors('').name}>
            {(field) => (
              <input
                {...field}
                type="text"
                dir="auto"
                maxLength={200}
                autoComplete="off"
                value={draft.name}
                onChange={({ target }) => onChange({ ...draft, name: target.value })}
              />
            )}
          </Field>
        </div>
        {chosen !== undefined && (
          <>
            <p>
              <InlineCode text={chosen.description} />
            </p>
            <p className="soft">
              {Object.entries(chosen.splits)
                .map(([split, count]) => `${split} ${formatCount(count)}`)
                .join(', ')}{' '}
              tasks · trajectories of {chosen.default_max_steps} steps unless said otherwise ·{' '}
              {chosen.hosting === 'worker' ? 'runs inside the workers' : 'runs on hosts only'} ·{' '}
              {chosen.data === null ? (
                'its tasks come along with it'
              ) : (
                <>
                  tasks of the data pack <code className={styles.break}>{chosen.data}</code>
                </>
              )}
            </p>
          </>
        )}
        {chosen?.options != null && (
          <details open={Object.keys(draft.environmentOptions).length > 0}>
            <summary>Options of its rules</summary>
            <SchemaFields
              schema={replaceDefaults(chosen.options, partOf(defaults, 'environment_options'))}
              value={draft.environmentOptions}
              onChange={(environmentOptions) => onChange({ ...draft, environmentOptions })}
              errors={errors('environment_options')}
            />
          </details>
        )}
        <details open={Object.keys(draft.place).length > 0}>
          <summary>Where it runs, and over which data</summary>
          <SchemaFields
            schema={placeSchema}
            value={draft.place}
            onChange={(place) => onChange({ ...draft, place })}
            errors={errors('')}
          />
        </details>
      </div>
    </Section>
  )
}

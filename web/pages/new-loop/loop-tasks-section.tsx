import { formatCount } from '../../../shared/core/client/format-quantity.ts'
import type { EndpointInfo, EnvironmentInfo } from '../../../shared/core/contracts/catalogue.ts'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { Field } from '../../components/field.tsx'
import styles from '../../components/form/form.module.css'
import { taskCountSchema } from '../../components/form/form-schemas.ts'
import { ModelFields } from '../../components/form/model-fields.tsx'
import type { FormPart } from '../../components/form/use-request-form.ts'
import { SchemaFields } from '../../components/schema-fields/schema-fields.tsx'
import { Section } from '../../components/section.tsx'
import { withField } from '../../format/with-field.ts'
import { type LoopDraft, type TaskPart, withTasks } from './loop-draft.ts'

const parts: { part: TaskPart; title: string; unset: string }[] = [
  { part: 'train', title: 'Training tasks', unset: 'train (default)' },
  { part: 'dev', title: 'Dev tasks, which choose between checkpoints', unset: 'none' },
  { part: 'test', title: 'Test tasks, which measure', unset: 'test (default)' },
]

export function LoopTasksSection({
  draft,
  onChange,
  errors,
  environments,
  endpoints,
}: FormPart<LoopDraft> & { environments: readonly EnvironmentInfo[]; endpoints: readonly EndpointInfo[] }) {
  const environment = environments.find(({ id }) => id === draft.environment)
  const { endpoint = '', id: model = '' } = draft.policy ?? {}
  return (
    <Section title="Tasks">
      <div className={styles.stack}>
        <div className={styles.fields}>
          <Field label="Environment" error={errors('').environment}>
            {(field) => (
              <select
                {...field}
                value={draft.environment}
                onChange={({ target }) => {
                  const { environment_options: _, tasks: __, ...rest } = draft
                  onChange({ ...rest, environment: target.value })
                }}
              >
                {environment === undefined && <option>{draft.environment}</option>}
                {environments.map(({ id }) => (
                  <option key={id}>{id}</option>
                ))}
              </select>
            )}
          </Field>
        </div>
        {parts.map(({ part, title, unset }) => (
          <TaskFields
            key={part}
            title={title}
            unset={unset}
            splits={environment?.splits ?? {}}
            tasks={(draft.tasks?.[part] ?? {}) as JsonObject}
            errors={errors(`tasks.${part}`)}
            onChange={(tasks) => onChange(withTasks(draft, part, tasks))}
          />
        ))}
        {errors('').tasks && <p className={styles.error}>{errors('').tasks}</p>}
        {!('registered' in draft.base) && (
          <fieldset className={styles.group}>
            <legend>Who answers for the base</legend>
            <p className="soft">
              Needed where the base plays before the first training. Models that are registered are served
              here.
            </p>
            <div className={styles.fields}>
              <ModelFields
                endpoint={endpoint}
                model={model}
                endpoints={endpoints}
                errors={errors('policy')}
                fallback="not set"
                onChange={(choice) => onChange(withPolicy(draft, choice))}
              />
            </div>
          </fieldset>
        )}
      </div>
    </Section>
  )
}

function withPolicy(draft: LoopDraft, { endpoint, model }: { endpoint: string; model: string }): LoopDraft {
  return withField(draft, 'policy', endpoint === '' ? undefined : { endpoint, id: model })
}

function TaskFields({
  title,
  unset,
  splits,
  tasks,
  errors,
  onChange,
}: {
  title: string
  unset: string
  splits: Readonly<Record<string, number>>
  tasks: JsonObject
  errors: Record<string, string>
  onChange: (tasks: JsonObject) => void
}) {
  const { limit, split, ...rest } = tasks
  const chosen = typeof split === 'string' ? split : ''
  return (
    <fieldset className={styles.group}>
      <legend>{title}</legend>
      <div className={styles.fields}>
        <Field label="Split" error={errors.split}>
          {(field) => (
            <select
              {...field}
              value={chosen}
              onChange={({ target }) => {
                const kept = limit === undefined ? rest : { ...rest, limit }
                onChange(target.value === '' ? kept : { ...kept, split: target.value })
              }}
            >
              <option value="">{unset}</option>
              {Object.entries(splits).map(([name, count]) => (
                <option key={name} value={name}>
                  {name} ({formatCount(count)} tasks)
                </option>
              ))}
            </select>
          )}
        </Field>
        <SchemaFields
          schema={taskCountSchema}
          value={limit === undefined ? {} : { limit }}
          onChange={(next) => onChange({ ...rest, ...(split !== undefined && { split }), ...next })}
          errors={errors}
          whereUnset="all"
        />
      </div>
    </fieldset>
  )
}

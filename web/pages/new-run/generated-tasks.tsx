import type { EnvironmentInfo, GeneratorInfo } from '../../../shared/core/contracts/catalogue.ts'
import type { Json, JsonObject } from '../../../shared/core/contracts/json.ts'
import { Field } from '../../components/field.tsx'
import form from '../../components/form/form.module.css'
import { generationSchema } from '../../components/form/form-schemas.ts'
import type { FormPart } from '../../components/form/use-request-form.ts'
import { isObject } from '../../components/schema-fields/read-fields.ts'
import { SchemaFields } from '../../components/schema-fields/schema-fields.tsx'
import type { RunDraft } from './run-draft.ts'

const firstCount = 100

export function GeneratedTasks({
  draft,
  onChange,
  errors,
  environment,
}: FormPart<RunDraft> & { environment: EnvironmentInfo | undefined }) {
  const generators = environment?.generators ?? []
  const generate = isObject(draft.tasks.generate) ? draft.tasks.generate : null
  const chosen = generators.find(({ id }) => id === generate?.generator) ?? generators[0]
  const set = (next: JsonObject | null) => onChange({ ...draft, tasks: withGeneration(draft.tasks, next) })
  if (generate === null && generators.length === 0) return null
  return (
    <>
      <div className={form.fields}>
        <Field label="Tasks" error={errors('tasks').generate ?? errors('tasks.generate').generator}>
          {(field) => (
            <select
              {...field}
              value={generate === null ? '' : (chosen?.id ?? '')}
              onChange={({ target }) =>
                set(target.value === '' ? null : { generator: target.value, count: firstCount })
              }
            >
              <option value="">those that come along</option>
              {generators.map(({ description, id }) => (
                <option key={id} value={id} title={description}>
                  generated: {id}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      {generate !== null && chosen !== undefined && (
        <>
          <p className="soft">
            {chosen.description} Splits of generated tasks are disjoint, whatever the counts and seeds.
          </p>
          <SchemaFields
            schema={fieldsOf(chosen)}
            value={generate}
            onChange={(next) => set({ ...next, generator: chosen.id })}
            errors={errors('tasks.generate')}
          />
        </>
      )}
    </>
  )
}

function fieldsOf({ bounds }: GeneratorInfo): JsonObject {
  const properties = isObject(bounds.properties) ? bounds.properties : {}
  return { properties: { ...(generationSchema.properties as JsonObject), ...properties } }
}

/** Generated tasks have their own split, and no ids or types to choose from before they exist. */
function withGeneration(tasks: JsonObject, generate: JsonObject | null): JsonObject {
  const { generate: _before, ids: _ids, split: _split, types: _types, ...rest } = tasks
  return generate === null ? { split: 'test', ...rest } : { ...rest, generate: generate as Json }
}

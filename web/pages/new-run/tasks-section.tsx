import { useState } from 'react'
import { formatCount } from '../../../shared/core/client/format-quantity.ts'
import type { EnvironmentInfo } from '../../../shared/core/contracts/catalogue.ts'
import type { Json, JsonObject } from '../../../shared/core/contracts/json.ts'
import { Field, type FieldInput } from '../../components/field.tsx'
import form from '../../components/form/form.module.css'
import { taskCountSchema } from '../../components/form/form-schemas.ts'
import type { FormPart } from '../../components/form/use-request-form.ts'
import { DraftInput } from '../../components/schema-fields/draft-input.tsx'
import { isSame } from '../../components/schema-fields/read-fields.ts'
import { SchemaFields } from '../../components/schema-fields/schema-fields.tsx'
import { Section } from '../../components/section.tsx'
import { showControls } from '../../format/show-controls.ts'
import { GeneratedTasks } from './generated-tasks.tsx'
import styles from './new-run-page.module.css'
import { partOf } from './preset-defaults.ts'
import type { RunDraft } from './run-draft.ts'

export function TasksSection({
  draft,
  onChange,
  errors,
  environment,
  defaults,
}: FormPart<RunDraft> & { environment: EnvironmentInfo | undefined; defaults: JsonObject }) {
  const { generate, ids, range, split, types } = draft.tasks
  const isGenerated = generate !== undefined
  const ofPreset = partOf(defaults, 'tasks').split
  const wrong = errors('tasks')
  const chosen = Array.isArray(types) ? types : []
  const set = (name: string, value: Json | undefined) => {
    const { [name]: _, ...rest } = draft.tasks
    onChange({ ...draft, tasks: value === undefined ? rest : { ...rest, [name]: value } })
  }
  return (
    <Section title="Tasks">
      <div className={form.stack}>
        <GeneratedTasks draft={draft} onChange={onChange} errors={errors} environment={environment} />
        <div className={form.fields}>
          {!isGenerated && (
            <Field label="Split" error={wrong.split}>
              {(field) => (
                <select
                  {...field}
                  value={typeof split === 'string' ? split : ''}
                  onChange={({ target }) => set('split', target.value || undefined)}
                >
                  <option value="">
                    {ids === undefined ? `${String(ofPreset ?? 'test')} (default)` : 'any'}
                  </option>
                  {Object.entries(environment?.splits ?? {}).map(([name, count]) => (
                    <option key={name} value={name}>
                      {name} ({formatCount(count)} tasks)
                    </option>
                  ))}
                </select>
              )}
            </Field>
          )}
          <SchemaFields
            schema={taskCountSchema}
            value={draft.tasks.limit === undefined ? {} : { limit: draft.tasks.limit }}
            onChange={({ limit }) => set('limit', limit)}
            errors={wrong}
            whereUnset="all"
          />
          <Field
            label="Positions in the split"
            hint="From the first, up to but without the second: 0-50."
            error={rangeProblem(range) ?? wrong.range}
          >
            {(field) => <RangeInput {...field} range={range} onChange={(next) => set('range', next)} />}
          </Field>
        </div>
        {!isGenerated && environment !== undefined && environment.types.length > 1 && (
          <fieldset className={form.group}>
            <legend>Types{wrong.types && <span className={form.error}> {wrong.types}</span>}</legend>
            <p className="soft">{chosen.length === 0 ? 'All of them.' : 'Only the chosen ones.'}</p>
            <div className={styles.typeChoices}>
              {environment.types.map((type) => (
                <label key={type} className={styles.typeChoice}>
                  <input
                    type="checkbox"
                    checked={chosen.includes(type)}
                    onChange={({ target }) => {
                      const next = target.checked ? [...chosen, type] : chosen.filter((each) => each !== type)
                      set('types', next.length === 0 ? undefined : next)
                    }}
                  />
                  <span dir="auto">{showControls(type)}</span>
                </label>
              ))}
            </div>
          </fieldset>
        )}
        {!isGenerated && (
          <details open={ids !== undefined}>
            <summary>Named tasks</summary>
            <Field label="Ids" hint="One a line. With them, only these are played." error={wrong.ids}>
              {(field) => (
                <DraftInput
                  {...field}
                  shape={{ kind: 'lines' }}
                  value={ids}
                  placeholder=""
                  onChange={(next) => set('ids', next)}
                />
              )}
            </Field>
          </details>
        )}
      </div>
    </Section>
  )
}

function RangeInput({
  range,
  onChange,
  ...field
}: FieldInput & { range: Json | undefined; onChange: (range: Json | undefined) => void }) {
  const [typed, setTyped] = useState('')
  return (
    <input
      {...field}
      type="text"
      autoComplete="off"
      placeholder="all"
      value={isSame(parseRange(typed), range) ? typed : rangeText(range)}
      onChange={({ target }) => {
        setTyped(target.value)
        onChange(parseRange(target.value))
      }}
    />
  )
}

export function parseRange(text: string): Json | undefined {
  if (text.trim() === '') return undefined
  const [, from, to] = /^\s*(\d+)\s*[-–]\s*(\d+)\s*$/.exec(text) ?? []
  return from === undefined || to === undefined ? text : [Number(from), Number(to)]
}

export function rangeText(range: Json | undefined): string {
  if (range === undefined) return ''
  return Array.isArray(range) ? range.join('-') : String(range)
}

export function rangeProblem(range: Json | undefined): string | null {
  if (range === undefined) return null
  const [from, to, ...more] = Array.isArray(range) ? range : []
  if (!isPosition(from) || !isPosition(to) || more.length > 0)
    return 'Enter two positions with a dash between them, such as 0-50.'
  return from < to ? null : 'The second position must be greater than the first.'
}

function isPosition(value: Json | undefined): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

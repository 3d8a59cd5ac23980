import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { MethodInfo } from '../../../shared/core/contracts/catalogue.ts'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import type { Library } from '../../../shared/core/contracts/library.ts'
import type { Memory } from '../../../shared/core/contracts/memory.ts'
import { Field } from '../../components/field.tsx'
import form from '../../components/form/form.module.css'
import type { FormPart } from '../../components/form/use-request-form.ts'
import { InlineCode } from '../../components/inline-code.tsx'
import { SchemaFields, type Suggestion } from '../../components/schema-fields/schema-fields.tsx'
import { Section } from '../../components/section.tsx'
import { api } from '../../service/api.ts'
import { findIdle, type RunDraft, withMethod } from './run-draft.ts'

export function MethodSection({
  draft,
  onChange,
  errors,
  methods,
}: FormPart<RunDraft> & { methods: readonly MethodInfo[] }) {
  const chosen = methods.find(({ id }) => id === draft.method)
  const learned = useLearned(draft.environment)
  // Returning to a method restores its earlier parameters.
  const left = useRef(new Map<string, JsonObject>())
  const choose = (next: MethodInfo) => {
    left.current.set(draft.method, draft.parameters)
    onChange(withMethod(draft, next, left.current.get(next.id)))
  }
  return (
    <Section title="Method">
      <div className={form.stack}>
        <Field
          label={<span className="visually-hidden">Method</span>}
          error={errors('').method ?? errors('method').id}
        >
          {(field) => (
            <select
              {...field}
              value={draft.method}
              onChange={({ target }) => {
                const next = methods.find(({ id }) => id === target.value)
                if (next !== undefined) choose(next)
              }}
            >
              {chosen === undefined && <option value={draft.method}>{draft.method || 'choose one'}</option>}
              {methods.map(({ id }) => (
                <option key={id}>{id}</option>
              ))}
            </select>
          )}
        </Field>
        {chosen !== undefined && (
          <>
            <p>
              <InlineCode text={chosen.description} />
            </p>
            <p className="soft">
              <InlineCode text={chosen.source} />
            </p>
            {chosen.module !== undefined && (
              <p className="soft">
                Added from <code>{chosen.module.file}</code>, version <code>{chosen.module.digest}</code>
              </p>
            )}
            <SchemaFields
              schema={chosen.parameters}
              value={draft.parameters}
              onChange={(parameters) => onChange({ ...draft, parameters })}
              errors={errors('method')}
              findIdle={findIdle}
              suggestions={learned}
            />
          </>
        )}
      </div>
    </Section>
  )
}

function useLearned(environment: string): Record<string, readonly Suggestion[]> {
  const memories = useQuery({
    queryKey: ['memories', 'to choose from'],
    queryFn: () => api.memories({ limit: 100 }),
  })
  const libraries = useQuery({
    queryKey: ['libraries', 'to choose from'],
    queryFn: () => api.libraries({ limit: 100 }),
  })
  return {
    memory_from: suggest(memories.data?.data ?? [], environment),
    library: suggest(libraries.data?.data ?? [], environment),
  }
}

function suggest(learned: readonly (Memory | Library)[], environment: string): Suggestion[] {
  return learned
    .filter((each) => each.complete && each.environment === environment)
    .map(({ id, method, created_at }) => ({
      value: id,
      label: `${method}, ${new Date(created_at).toLocaleString()}`,
    }))
}

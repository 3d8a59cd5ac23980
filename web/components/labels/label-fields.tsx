import { useExperiments } from '../../service/experiments.ts'
import { Field } from '../field.tsx'
import type { TypedLabels } from './typed-labels.ts'

export function LabelFields({
  labels,
  errors = {},
  onChange,
}: {
  labels: TypedLabels
  errors?: Record<string, string>
  onChange: (change: Partial<TypedLabels>) => void
}) {
  const experiments = useExperiments().data ?? []
  return (
    <>
      <Field
        label="Experiment"
        hint="What belongs together has the same one; it may be new."
        error={errors.experiment}
      >
        {(field) => (
          <>
            <input
              {...field}
              type="text"
              dir="auto"
              list={`${field.id}-known`}
              maxLength={100}
              autoComplete="off"
              value={labels.experiment}
              onChange={({ target }) => onChange({ experiment: target.value })}
            />
            <datalist id={`${field.id}-known`}>
              {experiments.map(({ id }) => (
                <option key={id} value={id} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <Field label="Tags" hint="Words with commas between them." error={errors.tags}>
        {(field) => (
          <input
            {...field}
            type="text"
            dir="auto"
            autoComplete="off"
            value={labels.tags}
            onChange={({ target }) => onChange({ tags: target.value })}
          />
        )}
      </Field>
      <Field label="Note" error={errors.note}>
        {(field) => (
          <textarea
            {...field}
            dir="auto"
            rows={4}
            maxLength={10_000}
            value={labels.note}
            onChange={({ target }) => onChange({ note: target.value })}
          />
        )}
      </Field>
    </>
  )
}

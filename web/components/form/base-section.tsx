import { useQuery } from '@tanstack/react-query'
import type { TrainingBase } from '../../../shared/core/contracts/training.ts'
import { showControls } from '../../format/show-controls.ts'
import { api } from '../../service/api.ts'
import { Field } from '../field.tsx'
import { Section } from '../section.tsx'
import type { FieldErrors } from './field-errors.ts'
import styles from './form.module.css'

const offered = 500

type Origin = 'registered' | 'hub' | 'folder'

const origins: Record<Origin, string> = {
  registered: 'a registered model',
  hub: 'a model on the hub',
  folder: 'a folder on the trainer’s machine',
}

export function BaseSection({
  base,
  errors,
  onChange,
}: {
  base: TrainingBase
  errors: FieldErrors
  onChange: (base: TrainingBase) => void
}) {
  const origin: Origin = 'registered' in base ? 'registered' : 'hub' in base ? 'hub' : 'folder'
  return (
    <Section title="Base model">
      <div className={styles.fields}>
        <Field label="The base is" error={errors('').base}>
          {(field) => (
            <select {...field} value={origin} onChange={({ target }) => onChange(emptyBase(target.value))}>
              {Object.entries(origins).map(([id, text]) => (
                <option key={id} value={id}>
                  {text}
                </option>
              ))}
            </select>
          )}
        </Field>
        {'registered' in base && (
          <RegisteredField
            model={base.registered}
            error={errors('base').registered}
            onChange={(registered) => onChange({ registered })}
          />
        )}
        {'hub' in base && (
          <>
            <TextField
              label="Name on the hub"
              placeholder="Qwen/Qwen3-0.6B"
              value={base.hub}
              error={errors('base').hub}
              onChange={(hub) => onChange({ ...base, hub })}
            />
            <TextField
              label="Revision"
              placeholder="the newest"
              value={base.revision ?? ''}
              error={errors('base').revision}
              onChange={(revision) => onChange({ hub: base.hub, ...(revision !== '' && { revision }) })}
            />
          </>
        )}
        {'folder' in base && (
          <TextField
            label="Folder"
            placeholder="/models/qwen3-0.6b"
            value={base.folder}
            error={errors('base').folder}
            onChange={(folder) => onChange({ folder })}
          />
        )}
      </div>
    </Section>
  )
}

function emptyBase(origin: string): TrainingBase {
  if (origin === 'hub') return { hub: '' }
  return origin === 'folder' ? { folder: '' } : { registered: '' }
}

function RegisteredField({
  model,
  error,
  onChange,
}: {
  model: string
  error: string | undefined
  onChange: (model: string) => void
}) {
  const models = useQuery({
    queryKey: ['registered-models', { limit: offered }],
    queryFn: async () => (await api.registeredModels({ limit: offered })).data,
  })
  const found = models.data ?? []
  const isKnown = found.some(({ id }) => id === model)
  return (
    <Field
      label="Model"
      error={error}
      hint={models.data?.length === 0 ? 'No model is registered yet: begin from the hub or a folder.' : null}
    >
      {(field) => (
        <select {...field} value={model} onChange={({ target }) => onChange(target.value)}>
          <option value="">choose one</option>
          {!isKnown && model !== '' && <option value={model}>{model}</option>}
          {found.map(({ id, name }) => (
            <option key={id} value={id}>
              {showControls(name)} ({id})
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

function TextField({
  label,
  placeholder,
  value,
  error,
  onChange,
}: {
  label: string
  placeholder: string
  value: string
  error: string | undefined
  onChange: (value: string) => void
}) {
  return (
    <Field label={label} error={error}>
      {(field) => (
        <input
          {...field}
          type="text"
          autoComplete="off"
          spellCheck={false}
          dir="auto"
          placeholder={placeholder}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  )
}

import { useId } from 'react'
import type { EndpointInfo } from '../../../shared/core/contracts/catalogue.ts'
import { Field } from '../field.tsx'

export function ModelFields({
  endpoint,
  model,
  endpoints,
  errors,
  fallback,
  onChange,
}: {
  endpoint: string
  model: string
  endpoints: readonly EndpointInfo[]
  errors: Record<string, string>
  /** The label of the empty choice; null if a choice is required. */
  fallback: string | null
  onChange: (choice: { endpoint: string; model: string }) => void
}) {
  const list = useId()
  const chosen = endpoints.find(({ id }) => id === endpoint)
  return (
    <>
      <Field label="Endpoint" hint={chosen && noteOf(chosen)} error={errors.endpoint}>
        {(field) => (
          <select
            {...field}
            value={endpoint}
            onChange={({ target }) => {
              const next = endpoints.find(({ id }) => id === target.value)
              // A model belongs to its endpoint.
              onChange({ endpoint: target.value, model: next?.models[0] ?? '' })
            }}
          >
            {fallback !== null && <option value="">{fallback}</option>}
            {fallback === null && endpoint === '' && <option value="">choose one</option>}
            {chosen === undefined && endpoint !== '' && <option>{endpoint}</option>}
            {endpoints.map(({ id, ready }) => (
              <option key={id} value={id}>
                {ready ? id : `${id} (not ready)`}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        label="Model"
        hint={chosen && chosen.models.length > 0 ? 'Those with prices are offered.' : null}
        error={errors.id}
      >
        {(field) => (
          <>
            <input
              {...field}
              type="text"
              list={list}
              autoComplete="off"
              spellCheck={false}
              dir="auto"
              placeholder={fallback ?? 'as its endpoint calls it'}
              value={model}
              onChange={({ target }) => onChange({ endpoint, model: target.value })}
            />
            <datalist id={list}>
              {chosen?.models.map((id) => (
                <option key={id} value={id} />
              ))}
            </datalist>
          </>
        )}
      </Field>
    </>
  )
}

function noteOf({ kind, note, priced, ready }: EndpointInfo): string {
  const state = ready ? note : `Not ready${note === null ? '' : `: ${note}`}`
  if (kind === 'simulated')
    return 'Needs no network and costs nothing: its numbers prove plumbing, not quality.'
  return state ?? (priced ? 'It has prices.' : 'It states no prices: money cannot be limited.')
}

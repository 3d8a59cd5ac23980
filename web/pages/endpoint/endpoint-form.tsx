import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import type { EndpointDetail } from '../../../shared/core/contracts/endpoint.ts'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { fieldErrors } from '../../components/form/field-errors.ts'
import styles from '../../components/form/form.module.css'
import { endpointSchema } from '../../components/form/form-schemas.ts'
import { Refusal } from '../../components/form/refusal.tsx'
import { readFields } from '../../components/schema-fields/read-fields.ts'
import { SchemaFields } from '../../components/schema-fields/schema-fields.tsx'
import { findProblems, withoutDefaults } from '../../components/schema-fields/settle-value.ts'
import { Section } from '../../components/section.tsx'
import { endpointAddress } from '../../format/addresses.ts'
import { api } from '../../service/api.ts'

const mainEndpointFields: readonly string[] = [
  'kind',
  'base_url',
  'base_urls',
  'api_version',
  'deployment',
  'token_provider',
  'token_scope',
  'organization',
  'model',
  'api_key_env',
  'api_key_file',
  'prices',
  'skill',
]

export function EndpointForm({ endpoint }: { endpoint: EndpointDetail | null }) {
  const [name, setName] = useState(endpoint?.id ?? '')
  const [value, setValue] = useState<JsonObject>(() => startOf(endpoint))
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const saving = useMutation({
    mutationFn: () =>
      endpoint === null
        ? api.addEndpoint({ name, endpoint: value })
        : api.changeEndpoint(endpoint.id, { endpoint: value }),
    onSuccess: async ({ id }) => {
      await Promise.all(
        [['endpoints'], ['catalogue', 'models']].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      )
      if (endpoint === null) await navigate(endpointAddress(id))
    },
  })
  const isComplete = name !== '' && Object.keys(findProblems(endpointSchema, value)).length === 0
  const errors = fieldErrors(saving.error)
  const names = readFields(endpointSchema, value).map((field) => field.name)
  const change = (next: JsonObject) => {
    setValue(next)
    saving.reset()
  }
  const fields = { schema: endpointSchema, value, onChange: change, errors: errors('endpoint') }
  return (
    <form
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        if (isComplete && !saving.isPending) saving.mutate()
      }}
    >
      <Section title={endpoint === null ? 'Name and address' : 'Configuration'}>
        <div className={styles.stack}>
          {endpoint === null && (
            <Field label="Name" hint="Under which runs ask it." error={errors('').name}>
              {(field) => (
                <input
                  {...field}
                  type="text"
                  autoComplete="off"
                  spellCheck={false}
                  maxLength={64}
                  value={name}
                  onChange={({ target }) => {
                    setName(target.value)
                    saving.reset()
                  }}
                />
              )}
            </Field>
          )}
          <p className="soft">
            A key is never entered here: name the environment variable, the file or the secret that holds it.
          </p>
          <SchemaFields {...fields} omit={names.filter((each) => !mainEndpointFields.includes(each))} />
          <details>
            <summary>Quotas, time limits and other settings</summary>
            <SchemaFields {...fields} omit={mainEndpointFields} />
          </details>
          {saving.isError && <Refusal error={saving.error} />}
          <div>
            <Button type="submit" kind="primary" disabled={!isComplete || saving.isPending}>
              {saving.isPending ? 'Sending …' : endpoint === null ? 'Add the endpoint' : 'Save the change'}
            </Button>{' '}
            <span role="status" className="soft">
              {saving.isSuccess && endpoint !== null && 'Saved. Calls under way end as they began.'}
            </span>
          </div>
        </div>
      </Section>
    </form>
  )
}

function startOf(endpoint: EndpointDetail | null): JsonObject {
  if (endpoint === null) return { kind: 'openai' }
  return withoutDefaults(endpointSchema, endpoint.configuration as unknown as JsonObject)
}

import type { EndpointInfo, EnvironmentInfo, MethodInfo } from '../../../shared/core/contracts/catalogue.ts'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import form from '../../components/form/form.module.css'
import { modelSettingsSchema, roleSettingsSchema } from '../../components/form/form-schemas.ts'
import { ModelFields } from '../../components/form/model-fields.tsx'
import type { FormPart } from '../../components/form/use-request-form.ts'
import { SchemaFields } from '../../components/schema-fields/schema-fields.tsx'
import { Section } from '../../components/section.tsx'
import { partOf, replaceDefaults } from './preset-defaults.ts'
import type { RunDraft } from './run-draft.ts'

export function ModelSection({
  draft,
  onChange,
  errors,
  endpoints,
  method,
  environment,
  defaults,
}: FormPart<RunDraft> & {
  endpoints: readonly EndpointInfo[]
  method: MethodInfo | undefined
  environment: EnvironmentInfo | undefined
  defaults: JsonObject
}) {
  const roles = [...(method?.roles ?? []), ...(environment?.roles ?? [])]
  return (
    <Section title="Model">
      <div className={form.stack}>
        <div className={form.fields}>
          <ModelFields
            endpoint={draft.endpoint}
            model={draft.model}
            endpoints={endpoints}
            errors={errors('model')}
            fallback={null}
            onChange={(choice) => onChange({ ...draft, ...choice })}
          />
        </div>
        <SchemaFields
          schema={replaceDefaults(modelSettingsSchema, partOf(defaults, 'model'))}
          value={draft.modelSettings}
          onChange={(modelSettings) => onChange({ ...draft, modelSettings })}
          errors={errors('model')}
        />
        {roles.map((role) => (
          <Role
            key={role}
            role={role}
            choice={draft.roles[role] ?? {}}
            endpoints={endpoints}
            errors={errors(`roles.${role}`)}
            defaults={partOf(partOf(defaults, 'roles'), role)}
            onChange={(choice) => onChange({ ...draft, roles: { ...draft.roles, [role]: choice } })}
          />
        ))}
      </div>
    </Section>
  )
}

function Role({
  role,
  choice,
  endpoints,
  errors,
  defaults,
  onChange,
}: {
  role: string
  choice: JsonObject
  endpoints: readonly EndpointInfo[]
  errors: Record<string, string>
  defaults: JsonObject
  onChange: (choice: JsonObject) => void
}) {
  const { endpoint, id, ...settings } = choice
  const isSet = Object.keys(choice).length > 0
  return (
    <details>
      <summary>
        Another model for <code>{role}</code>
        {isSet && ' (set)'}
      </summary>
      <div className={form.stack}>
        <div className={form.fields}>
          <ModelFields
            endpoint={typeof endpoint === 'string' ? endpoint : ''}
            model={typeof id === 'string' ? id : ''}
            endpoints={endpoints}
            errors={errors}
            fallback={role === 'embedding' ? 'none: notes are found by their words' : 'as the model above'}
            onChange={({ endpoint: place, model }) =>
              onChange({
                ...(place !== '' && { endpoint: place }),
                ...(model !== '' && { id: model }),
                ...settings,
              })
            }
          />
        </div>
        <SchemaFields
          schema={replaceDefaults(roleSettingsSchema, defaults)}
          value={settings}
          onChange={(next) =>
            onChange({
              ...(endpoint !== undefined && { endpoint }),
              ...(id !== undefined && { id }),
              ...next,
            })
          }
          errors={errors}
          whereUnset="as the model above"
        />
      </div>
    </details>
  )
}

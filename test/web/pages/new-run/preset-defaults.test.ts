import { expect, test } from 'vitest'
import { EspalierError } from '../../../../shared/core/contracts/errors.ts'
import type { Json, JsonObject } from '../../../../shared/core/contracts/json.ts'
import { describeMethod } from '../../../../shared/play/methods/describe-method.ts'
import {
  builtinMethods,
  openMethods,
  parseMethodParameters,
} from '../../../../shared/play/methods/methods.ts'
import { expandPreset } from '../../../../shared/play/presets/expand-preset.ts'
import { listPresets } from '../../../../shared/play/presets/presets.ts'
import {
  modelSettingsSchema,
  roleSettingsSchema,
  settingsSchema,
} from '../../../../web/components/form/form-schemas.ts'
import { isSame, readFields, type SchemaField } from '../../../../web/components/schema-fields/read-fields.ts'
import { setParameter, visibleFields } from '../../../../web/components/schema-fields/settle-value.ts'
import {
  partOf,
  presetDefaults,
  replaceDefaults,
  replaceMethodDefaults,
} from '../../../../web/pages/new-run/preset-defaults.ts'
import {
  emptyDraft,
  findIdle,
  type RunDraft,
  toDraft,
  toRequest,
  withPreset,
} from '../../../../web/pages/new-run/run-draft.ts'

const infos = builtinMethods.map((method) => describeMethod(method))
const cases = listPresets().flatMap((preset) =>
  (preset.environments.length === 0 ? ['sites'] : preset.environments).map((environment) => ({
    name: `${preset.id} in ${environment}`,
    preset,
    environment,
  })),
)

function formOf({ environment, preset }: (typeof cases)[number]) {
  const simple = { ...emptyDraft, environment, method: 'react', endpoint: 'e', model: 'm' }
  const draft = toDraft(withPreset(toRequest(simple), preset), infos, [])
  const defaults = presetDefaults(draft, preset)
  const info = replaceMethodDefaults(infos, defaults).find(({ id }) => id === draft.method)
  return { draft, defaults, schema: info?.parameters ?? {} }
}

// The parameters that the service plays; null if it refuses the request.
function played(draft: RunDraft): JsonObject | null {
  const { id, ...given } = partOf(expandPreset(toRequest(draft)), 'method')
  try {
    return parseMethodParameters(openMethods().find(String(id)), given) as JsonObject
  } catch (error) {
    if (error instanceof EspalierError) return null
    throw error
  }
}

const choicesOf = ({ shape }: SchemaField): Json[] =>
  shape.kind === 'choice' ? shape.choices : shape.kind === 'switch' ? [true, false] : []

test.each(cases)('$name plays the choices that its form shows, also a method’s default', (each) => {
  const { draft, schema } = formOf(each)
  let count = 0
  // The second form has all its parameters emptied, as a written link can.
  for (const before of [draft.parameters, {}]) {
    for (const field of visibleFields(schema, before, findIdle)) {
      for (const choice of choicesOf(field)) {
        // An input reports its own default as undefined.
        const next = isSame(choice, field.fallback) ? undefined : choice
        const parameters = setParameter(schema, before, [field.name, next], findIdle)
        const play = played({ ...draft, parameters })
        if (play === null) continue
        count += 1
        expect(play[field.name], field.name).toEqual(choice)
        for (const { fallback, name } of visibleFields(schema, parameters, findIdle)) {
          const shown = parameters[name] ?? fallback
          if (shown !== undefined) expect(play[name], `${name} after ${field.name}`).toEqual(shown)
        }
      }
    }
  }
  expect(count).toBeGreaterThan(0)
})

test.each(cases)('an emptied field of $name shows the preset’s value as its default', (each) => {
  const { defaults, draft, schema } = formOf(each)
  const settings = each.preset.settings.filter(
    ({ environments = [each.environment], field }) =>
      environments.includes(each.environment) && !['method.id', 'tasks.split'].includes(field),
  )
  const roleDefaults = (role: string) => partOf(partOf(defaults, 'roles'), role)
  const forms: Record<string, (role: string) => JsonObject> = {
    method: () => schema,
    model: () => replaceDefaults(modelSettingsSchema, partOf(defaults, 'model')),
    roles: (role) => replaceDefaults(roleSettingsSchema, roleDefaults(role)),
    epochs: () => replaceDefaults(settingsSchema, defaults),
    // An environment’s own schema, which needs no service here.
    environment_options: () => optionsSchema(partOf(defaults, 'environment_options')),
  }
  for (const { field, value } of settings) {
    const [part = '', ...names] = field.split('.')
    const name = names.at(-1) ?? part
    const fields = readFields(forms[part]?.(names[0] ?? '') ?? {}, part === 'method' ? draft.parameters : {})
    expect(fields.find((shown) => shown.name === name)?.fallback, field).toEqual(value)
  }
})

function optionsSchema(defaults: JsonObject): JsonObject {
  const properties = Object.fromEntries(Object.keys(defaults).map((name) => [name, { default: 'own' }]))
  return replaceDefaults({ properties }, defaults)
}

test('another method than the preset’s keeps its own defaults, and named tasks any split', () => {
  const exact = listPresets().find(({ id }) => id === 'exact-osworld')
  const draft = { ...emptyDraft, environment: 'osworld' }
  const defaults = presetDefaults(draft, exact)
  const changed = replaceMethodDefaults(infos, defaults).filter(
    (info, at) => !isSame(info as never, infos[at] as never),
  )
  expect(changed.map(({ id }) => id)).toEqual([partOf(defaults, 'method').id])
  expect(presetDefaults(draft, undefined)).toEqual({})
  const webshop = { ...draft, environment: 'webshop', tasks: { split: 'train' } }
  const eto = listPresets().find(({ id }) => id === 'eto')
  expect(partOf(presetDefaults(webshop, eto), 'tasks').split).toBe('test')
  expect(partOf(presetDefaults({ ...webshop, tasks: { ids: ['a'] } }, eto), 'tasks')).not.toHaveProperty(
    'split',
  )
})

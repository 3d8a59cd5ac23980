import { EspalierError } from '../../core/contracts/errors.ts'
import type { Json, JsonObject } from '../../core/contracts/json.ts'
import type { ChosenPreset, Preset, PresetSetting } from '../../core/contracts/preset.ts'
import { findPreset } from './presets.ts'

/**
 * Expands the preset in the body of `POST /v1/runs`. Adds every setting of the preset that the body does not state.
 * Sets `preset` to its name with the deviations of this run. The body's own settings stay, and count as deviations if
 * the preset differs. A method other than the preset's takes none of its parameters. A body without a preset is
 * returned unchanged.
 *
 * @param body as sent, before any default is filled in. `preset` is a name, or the result of an earlier expansion.
 * @throws EspalierError `invalid_request` for an unknown preset, or one without an environment
 */
export function expandPreset(body: JsonObject): JsonObject {
  const { preset: named, ...given } = body
  if (named === undefined) return body
  const preset = findPreset(isObject(named) ? named.id : named)
  const { environment } = given
  if (typeof environment !== 'string') {
    const own = preset.environments.length === 0 ? 'any' : preset.environments.join(', ')
    throw new EspalierError(
      'invalid_request',
      `The preset "${preset.id}" needs an environment. It is meant for: ${own}.`,
      { param: 'environment' },
    )
  }
  const expanded = structuredClone(given)
  const replaced: string[] = []
  for (const setting of settingsIn(preset, environment, expanded)) {
    const stated = valueAt(expanded, setting.field)
    const source = stated === undefined ? namedTasks(setting, expanded) : null
    if (source !== null) replaced.push(describeNamedTasks(setting, source))
    else if (stated === undefined) setAt(expanded, setting.field, setting.value)
    else if (!isEqual(stated, setting.value)) replaced.push(describeReplaced(setting, stated))
  }
  const chosen: ChosenPreset = {
    id: preset.id,
    deviations: [...replaced, ...elsewhere(preset, environment), ...remaining(preset, environment)],
  }
  return { ...expanded, preset: chosen }
}

function settingsIn({ settings }: Preset, environment: string, body: JsonObject): PresetSetting[] {
  const own = settings.filter(({ environments }) => environments?.includes(environment) ?? true)
  const method = own.find(({ field }) => field === 'method.id')?.value
  const chosen = valueAt(body, 'method.id')
  if (chosen === undefined || chosen === method) return own
  return own.filter(({ field }) => field === 'method.id' || !field.startsWith('method.'))
}

function describeReplaced({ field, value, source }: PresetSetting, stated: Json): string {
  return `${field} is ${JSON.stringify(stated)} by request, where the preset has ${JSON.stringify(value)} (${source}).`
}

/** Named or generated tasks may have any split: the preset's split would exclude others. */
function namedTasks({ field }: PresetSetting, body: JsonObject): string | null {
  if (field !== 'tasks.split') return null
  return ['tasks.ids', 'tasks.generate'].find((path) => valueAt(body, path) !== undefined) ?? null
}

function describeNamedTasks({ field, value, source }: PresetSetting, path: string): string {
  return `${path} names the tasks by request, where the preset has ${field} ${JSON.stringify(value)} (${source}).`
}

function elsewhere({ environments, id }: Preset, environment: string): string[] {
  if (environments.length === 0 || environments.includes(environment)) return []
  return [`${environment} is none of the environments of "${id}": ${environments.join(', ')}.`]
}

function remaining({ deviations }: Preset, environment: string): string[] {
  return deviations
    .filter(({ environments }) => environments?.includes(environment) ?? true)
    .map(({ text }) => text)
}

function valueAt(body: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = body
  for (const name of path.split('.')) value = isObject(value) ? value[name] : undefined
  return value
}

function setAt(body: JsonObject, path: string, value: Json): void {
  const names = path.split('.')
  const last = names.pop() as string
  let target = body
  for (const name of names) {
    const inner = target[name]
    // The request's own check refuses any other shape, with its own message.
    if (inner !== undefined && !isObject(inner)) return
    const next: JsonObject = isObject(inner) ? inner : {}
    target[name] = next
    target = next
  }
  target[last] = value
}

function isEqual(one: Json, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

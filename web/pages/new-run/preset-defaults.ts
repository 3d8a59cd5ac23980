import type { MethodInfo } from '../../../shared/core/contracts/catalogue.ts'
import type { Json, JsonObject } from '../../../shared/core/contracts/json.ts'
import type { PresetInfo } from '../../../shared/core/contracts/preset.ts'
import { isObject } from '../../components/schema-fields/read-fields.ts'
import { type RunDraft, withPreset } from './run-draft.ts'

// The values that the service fills in for omitted fields, in the request's shape.
export function presetDefaults(
  { environment, tasks }: Pick<RunDraft, 'environment' | 'tasks'>,
  preset: PresetInfo | undefined,
): JsonObject {
  if (preset === undefined) return {}
  const { split: _, ...chosen } = tasks
  return withPreset({ environment, tasks: chosen }, preset)
}

export function partOf(defaults: JsonObject, name: string): JsonObject {
  const part = defaults[name]
  return isObject(part) ? part : {}
}

export function replaceDefaults(schema: JsonObject, defaults: JsonObject): JsonObject {
  if (Array.isArray(schema.anyOf)) {
    const anyOf = schema.anyOf.map((each) => (isObject(each) ? replaceDefaults(each, defaults) : each))
    return { ...schema, anyOf }
  }
  const properties = Object.entries(partOf(schema, 'properties')).map(([name, field]): [string, Json] => {
    const value = defaults[name]
    return [name, value === undefined || !isObject(field) ? field : { ...field, default: value }]
  })
  return { ...schema, properties: Object.fromEntries(properties) }
}

// Another method than the preset's gets none of its parameters.
export function replaceMethodDefaults(methods: readonly MethodInfo[], defaults: JsonObject): MethodInfo[] {
  const preset = partOf(defaults, 'method')
  return methods.map((method) =>
    method.id === preset.id ? { ...method, parameters: replaceDefaults(method.parameters, preset) } : method,
  )
}

import type { Json, JsonObject } from '../../../core/contracts/json.ts'
import type { LoopRequest } from '../../../core/contracts/loop.ts'
import type { LoopSettings } from '../../../core/contracts/loop-settings.ts'
import { findPreset } from '../../../play/presets/presets.ts'
import type { LoopRecipe } from './recipe.ts'

/**
 * Adds the settings that the recipe's preset has for the environment. Values of the request stay. A request with a
 * method of its own takes none of the preset's parameters.
 */
export function takePreset(request: LoopRequest, { preset }: LoopRecipe): LoopRequest {
  if (preset === undefined) return request
  const taken: Record<string, JsonObject> = {}
  for (const { field, value, environments } of findPreset(preset.id).settings) {
    if (environments?.includes(request.environment) === false) continue
    const [part, name] = field.split('.') as [string, string | undefined]
    if (name === undefined || !preset.fields.some((each) => each === field || each === part)) continue
    taken[part] = { ...taken[part], [name]: value as Json }
  }
  const { method, model, environment_options } = taken
  return {
    ...request,
    model: { ...model, ...request.model },
    ...(environment_options !== undefined && {
      environment_options: { ...environment_options, ...request.environment_options },
    }),
    ...(method !== undefined && {
      settings: { method: method as LoopSettings['method'], ...request.settings },
    }),
  }
}

import type { Json, JsonObject } from '../../../shared/core/contracts/json.ts'
import type { LoopRequestInput } from '../../../shared/core/contracts/loop.ts'
import type { LoopRecipeInfo } from '../../../shared/core/contracts/loop-settings.ts'
import { loopSettingFields } from '../../components/form/form-schemas.ts'
import { isSame } from '../../components/schema-fields/read-fields.ts'
import { settleValue } from '../../components/schema-fields/settle-value.ts'
import { isNamed } from '../../format/name-base.ts'
import { withField } from '../../format/with-field.ts'

export type LoopDraft = LoopRequestInput

export function startOfLoop(
  request: JsonObject | null,
  recipes: readonly LoopRecipeInfo[],
  environment: string,
): LoopDraft {
  const draft: LoopDraft = {
    recipe: 'rft',
    environment,
    base: { registered: '' },
    ...(request as Partial<LoopDraft> | null),
  }
  const recipe = recipes.find(({ id }) => id === draft.recipe)
  if (recipe === undefined || draft.settings === undefined) return draft
  const defaults = new Map(recipe.settings.map(({ field, value }) => [field, value]))
  const chosen = Object.entries(draft.settings as JsonObject).filter(
    ([field, value]) => !isSame(value, defaults.get(field) ?? undefined),
  )
  return withField(draft, 'settings', Object.fromEntries(chosen))
}

export function settingsOf({ settings }: LoopRecipeInfo): JsonObject {
  const properties = settings.map(({ field, source, value }): [string, Json] => {
    const { description, ...shape } = (loopSettingFields[field] ?? {}) as { description?: string }
    const words = [description, `Source: ${source}.`].filter((part) => part !== undefined)
    return [
      field,
      { ...shape, description: words.join(' '), ...(value !== null && { default: value }) } as JsonObject,
    ]
  })
  return { properties: Object.fromEntries(properties) }
}

export function withLoopRecipe(draft: LoopDraft, recipe: LoopRecipeInfo): LoopDraft {
  const kept = settleValue(settingsOf(recipe), (draft.settings ?? {}) as JsonObject)
  return withField({ ...draft, recipe: recipe.id }, 'settings', kept)
}

export function isCompleteLoop({ base, environment }: LoopDraft): boolean {
  return isNamed(base) && environment !== ''
}

export type TaskPart = 'train' | 'dev' | 'test'

export function withTasks(draft: LoopDraft, part: TaskPart, tasks: JsonObject): LoopDraft {
  return withField(draft, 'tasks', withField(draft.tasks ?? {}, part, tasks))
}

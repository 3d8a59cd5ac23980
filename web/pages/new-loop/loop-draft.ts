import type { Json, JsonObject } from '../../../shared/contracts/json.ts'
import type { LoopRequestInput } from '../../../shared/contracts/loop.ts'
import type { LoopRecipeInfo } from '../../../shared/contracts/loop-settings.ts'
import { isSame } from '../../components/schema-fields/read-fields.ts'
import { settleValue } from '../../components/schema-fields/settle-value.ts'
import { isNamed } from '../../format/name-base.ts'
import { withField } from '../../format/with-field.ts'
import { loopSettingFields } from './loop-schemas.ts'

/** What the form holds: a request with only what the user chose. */
export type LoopDraft = LoopRequestInput

/** The draft that the form begins with: of a request in the address, what it says; settings of its recipe are left open. */
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

/** The settings of a recipe as a JSON Schema: each with what it is for, where its default is from, and that default. */
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

/** The draft with another recipe, and of the settings those that it has too. */
export function withLoopRecipe(draft: LoopDraft, recipe: LoopRecipeInfo): LoopDraft {
  const kept = settleValue(settingsOf(recipe), (draft.settings ?? {}) as JsonObject)
  return withField({ ...draft, recipe: recipe.id }, 'settings', kept)
}

/** Whether the draft says what is improved, and where. */
export function isCompleteLoop({ base, environment }: LoopDraft): boolean {
  return isNamed(base) && environment !== ''
}

export type TaskPart = 'train' | 'dev' | 'test'

/** The draft with other tasks of a part; nothing said is as the service has it. */
export function withTasks(draft: LoopDraft, part: TaskPart, tasks: JsonObject): LoopDraft {
  return withField(draft, 'tasks', withField(draft.tasks ?? {}, part, tasks))
}

import { expect, test } from 'vitest'
import { loopRequestSchema } from '../../../../shared/core/contracts/loop.ts'
import { listLoopRecipes } from '../../../../shared/learn/loops/recipes/recipes.ts'
import {
  isCompleteLoop,
  type LoopDraft,
  settingsOf,
  startOfLoop,
  withLoopRecipe,
  withTasks,
} from '../../../../web/pages/new-loop/loop-draft.ts'

const recipes = listLoopRecipes()
const recipeOf = (id: string) => recipes.find((recipe) => recipe.id === id) as (typeof recipes)[number]
const draft: LoopDraft = { recipe: 'rft', environment: 'textcraft', base: { registered: 'model-1' } }

test('the form begins without a base, which is not complete', () => {
  const begun = startOfLoop(null, recipes, 'textcraft')
  expect(begun).toEqual({ ...draft, base: { registered: '' } })
  expect(isCompleteLoop(begun)).toBe(false)
  expect(isCompleteLoop(draft)).toBe(true)
})

test('of another loop’s request only settings that differ from its recipe’s are chosen', () => {
  const defaults = Object.fromEntries(
    recipeOf('rft').settings.flatMap(({ field, value }) => (value === null ? [] : [[field, value]])),
  )
  const begun = startOfLoop({ ...draft, settings: { ...defaults, rounds: 9 } } as never, recipes, '')
  expect(begun.settings).toEqual({ rounds: 9 })
  expect(loopRequestSchema.safeParse(begun).success).toBe(true)
})

test('every setting of every recipe has a field with its source and its default', () => {
  for (const recipe of recipes) {
    const { properties } = settingsOf(recipe) as { properties: Record<string, Record<string, unknown>> }
    for (const { field, source, value } of recipe.settings) {
      expect(properties[field]?.description, `${recipe.id} ${field}`).toContain(`Source: ${source}.`)
      expect(properties[field]?.default ?? null, `${recipe.id} ${field}`).toEqual(value)
    }
  }
})

test('another recipe keeps the settings that it has too', () => {
  const eto = recipeOf('eto')
  const has = (field: string) => eto.settings.some((setting) => setting.field === field)
  const kept = withLoopRecipe({ ...draft, settings: { rounds: 2 } }, eto)
  expect(has('rounds')).toBe(true)
  expect(kept).toMatchObject({ recipe: 'eto', settings: { rounds: 2 } })
})

test('tasks of one part leave those of the others alone', () => {
  const tested = withTasks(draft, 'test', { split: 'test', limit: 20 })
  expect(withTasks(tested, 'train', { limit: 5 }).tasks).toEqual({
    train: { limit: 5 },
    test: { split: 'test', limit: 20 },
  })
})

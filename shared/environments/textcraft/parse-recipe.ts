import type { z } from 'zod'
import { EspalierError } from '../../core/contracts/errors.ts'
import {
  type CraftingRecipeFile,
  craftingRecipeSchema,
  type Ingredient,
  type Recipe,
  type RecipeSlot,
  recipeSchema,
} from './recipe.ts'

type Slot = Pick<Ingredient, 'kind' | 'id'>

export interface ParsedRecipe extends Recipe {
  readonly slots: readonly Slot[]
}

/**
 * Reads one data-pack recipe by the rules of TextCraft. A slot with alternatives takes the first. A shaped recipe has
 * an ingredient for each key of its pattern, a shapeless one an ingredient for each name. Only crafting belongs to
 * the game: other kinds of recipe return null.
 * @throws EspalierError `invalid_request` when it is no recipe.
 */
export function parseRecipe(name: string, value: unknown): ParsedRecipe | null {
  const { type } = parseWith(recipeSchema, name, value)
  if (type !== 'minecraft:crafting_shaped' && type !== 'minecraft:crafting_shapeless') return null
  const file = parseWith(craftingRecipeSchema, name, value)
  const { result, group } = file
  const id = typeof result === 'string' ? result : result.item
  const count = typeof result === 'string' ? 1 : result.count || 1
  const tag = group === undefined ? null : `minecraft:${group}`
  const slots = Object.values(file.type === 'minecraft:crafting_shaped' ? file.key : file.ingredients).map(
    readSlot,
  )
  return { slots, ingredients: readIngredients(file, slots), output: { id, tag, count } }
}

function parseWith<Schema extends z.ZodType>(schema: Schema, name: string, value: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const place = issue?.path.join('.') || 'its top level'
  throw new EspalierError(
    'invalid_request',
    `"${name}" is not a Minecraft crafting recipe: ${place}: ${issue?.message}. Correct it or take it out of the recipes.`,
    { cause: parsed.error },
  )
}

function readIngredients(file: CraftingRecipeFile, slots: readonly Slot[]): Ingredient[] {
  if (file.type === 'minecraft:crafting_shaped') {
    const symbols = Object.keys(file.key)
    return slots.map((slot, index) => ({ ...slot, count: countSymbol(file.pattern, symbols[index] ?? '') }))
  }
  const ingredients = new Map<string, Ingredient>()
  for (const slot of slots) {
    ingredients.set(slot.id, { ...slot, count: (ingredients.get(slot.id)?.count ?? 0) + 1 })
  }
  return [...ingredients.values()]
}

function countSymbol(pattern: readonly string[], symbol: string): number {
  return pattern.reduce((count, line) => count + line.split(symbol).length - 1, 0)
}

function readSlot(slot: RecipeSlot): Slot {
  return 'item' in slot ? { kind: 'item', id: slot.item } : { kind: 'tag', id: slot.tag }
}

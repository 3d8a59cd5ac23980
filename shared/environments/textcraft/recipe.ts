import { z } from 'zod'

const ingredientSchema = z.union([
  z.object({ item: z.string().min(1) }),
  z.object({ tag: z.string().min(1) }),
])

const slotSchema = z.union([
  ingredientSchema,
  z.tuple([ingredientSchema], ingredientSchema).transform(([first]) => first),
])

const resultSchema = z.union([
  z.string().min(1),
  z.object({ item: z.string().min(1), count: z.int().nonnegative().nullish() }),
])

export const craftingRecipeSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('minecraft:crafting_shaped'),
    group: z.string().optional(),
    pattern: z.array(z.string()),
    key: z.record(z.string().min(1), slotSchema),
    result: resultSchema,
  }),
  z.object({
    type: z.literal('minecraft:crafting_shapeless'),
    group: z.string().optional(),
    ingredients: z.array(slotSchema),
    result: resultSchema,
  }),
])

export const recipeSchema = z.object({ type: z.string() })

export type CraftingRecipeFile = z.infer<typeof craftingRecipeSchema>
export type RecipeSlot = z.infer<typeof slotSchema>

export interface Ingredient {
  readonly kind: 'item' | 'tag'
  readonly id: string
  readonly count: number
}

export interface Recipe {
  readonly ingredients: readonly Ingredient[]
  readonly output: {
    readonly id: string
    readonly tag: string | null
    readonly count: number
  }
}

export function displayName(id: string): string {
  return id.replaceAll('minecraft:', '').replaceAll('_', ' ')
}

export function recipeLine({ output, ingredients }: Recipe): string {
  const parts = ingredients.map(({ count, id }) => `${count} ${displayName(id)}`)
  return `craft ${output.count} ${displayName(output.id)} using ${parts.join(', ')}`
}

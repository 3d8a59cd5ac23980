import { z } from 'zod'

const ingredientSchema = z.union([
  z.object({ item: z.string().min(1) }),
  z.object({ tag: z.string().min(1) }),
])

/** Alternatives are written as a list; as in the reference, only the first one counts. */
const slotSchema = z.union([
  ingredientSchema,
  z.tuple([ingredientSchema], ingredientSchema).transform(([first]) => first),
])

const resultSchema = z.union([
  z.string().min(1),
  z.object({ item: z.string().min(1), count: z.int().nonnegative().nullish() }),
])

/** A crafting recipe in the form of a Minecraft data pack. */
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

/** What every recipe of a data pack has. Smelting, stonecutting and the like are no part of the game. */
export const recipeSchema = z.object({ type: z.string() })

export type CraftingRecipeFile = z.infer<typeof craftingRecipeSchema>
export type RecipeSlot = z.infer<typeof slotSchema>

/** What one part of a recipe asks for: an item, or any item that carries a tag, always in one exact count. */
export interface Ingredient {
  readonly kind: 'item' | 'tag'
  readonly id: string
  readonly count: number
}

export interface Recipe {
  readonly ingredients: readonly Ingredient[]
  readonly output: {
    readonly id: string
    /** The tag that the output's group gives it. */
    readonly tag: string | null
    readonly count: number
  }
}

/** An item or a tag as players read and write it: `minecraft:oak_planks` is `oak planks`. */
export function displayName(id: string): string {
  return id.replaceAll('minecraft:', '').replaceAll('_', ' ')
}

/** A recipe as a reset shows it. */
export function recipeLine({ output, ingredients }: Recipe): string {
  const parts = ingredients.map(({ count, id }) => `${count} ${displayName(id)}`)
  return `craft ${output.count} ${displayName(output.id)} using ${parts.join(', ')}`
}

import { parseRecipe } from './parse-recipe.ts'
import type { Ingredient, Recipe } from './recipe.ts'

export interface RecipeBook {
  readonly craftable: readonly string[]
  recipesOf(name: string): readonly Recipe[]
  recipesOfItem(id: string): readonly Recipe[]
  usesOf(name: string): readonly Recipe[]
  isCraftable(name: string): boolean
  isItem(id: string): boolean
  isTag(id: string): boolean
  tagOf(id: string): string | undefined
  depthOf(name: string): number
}

/**
 * Builds the book as TextCraft loads its recipes. Order matters in one way. If two items are made from each other,
 * such as gold ingots and gold nuggets, the first recipe is kept and the other is dropped.
 * @param recipes Data-pack recipes by name, in load order. Names serve error messages only.
 * @throws EspalierError `invalid_request` for a value that is no recipe.
 */
export function createRecipeBook(recipes: Readonly<Record<string, unknown>>): RecipeBook {
  const items = new Set<string>()
  const tags = new Set<string>()
  const tagByItem = new Map<string, string>()
  const dependencies = new Map<string, Set<string>>()
  const kept: Recipe[] = []

  for (const [name, value] of Object.entries(recipes)) {
    const recipe = parseRecipe(name, value)
    if (recipe === null) continue
    const { slots, ingredients, output } = recipe
    for (const { kind, id } of slots) (kind === 'item' ? items : tags).add(id)
    items.add(output.id)
    if (ingredients.length === 1 && ingredients[0]?.id.endsWith('_block')) continue
    if (output.tag !== null && output.tag !== output.id) {
      tags.add(output.tag)
      tagByItem.set(output.id, output.tag)
    }
    const needs = dependencies.get(output.id) ?? new Set<string>()
    dependencies.set(output.id, needs)
    if (ingredients.some(({ id }) => dependencies.get(id)?.has(output.id))) continue
    kept.push(recipe)
    for (const { id } of ingredients) {
      needs.add(id)
      for (const deeper of dependencies.get(id) ?? []) needs.add(deeper)
    }
  }

  const cleaned = turnTagsWithoutRecipesIntoItems(kept, { items, tags, tagByItem })
  const byItem = indexBy(cleaned, ({ output }) => [output.id])
  const byTag = indexBy(cleaned, ({ output }) => (output.tag === null ? [] : [output.tag]))
  const byUse = indexBy(cleaned, ({ ingredients }) => [...new Set(ingredients.map(({ id }) => id))])
  const recipesOf = (name: string) => byItem.get(name) ?? byTag.get(name) ?? []
  const depths = measureDepths([...byItem.keys(), ...byTag.keys()], recipesOf)
  return {
    craftable: [...byItem.keys()],
    recipesOf,
    recipesOfItem: (id) => byItem.get(id) ?? [],
    usesOf: (name) => byUse.get(name) ?? [],
    isCraftable: (name) => byItem.has(name) || byTag.has(name),
    isItem: (id) => items.has(id),
    isTag: (id) => tags.has(id),
    tagOf: (id) => tagByItem.get(id),
    depthOf: (name) => depths.get(name) ?? 0,
  }
}

interface Names {
  readonly items: Set<string>
  readonly tags: Set<string>
  readonly tagByItem: ReadonlyMap<string, string>
}

/**
 * Turns a tag that no craftable item carries into a gettable item, such as `oak logs`, so that its recipes stay
 * playable.
 */
function turnTagsWithoutRecipesIntoItems(
  recipes: readonly Recipe[],
  { items, tags, tagByItem }: Names,
): Recipe[] {
  const withRecipe = new Set(recipes.map(({ output }) => output.id))
  const craftableTags = new Set([...tagByItem].filter(([id]) => withRecipe.has(id)).map(([, tag]) => tag))
  const convert = (ingredient: Ingredient): Ingredient => {
    if (ingredient.kind === 'item' || craftableTags.has(ingredient.id)) return ingredient
    items.add(ingredient.id)
    tags.delete(ingredient.id)
    return { ...ingredient, kind: 'item' }
  }
  return recipes.map((recipe) => ({ ...recipe, ingredients: recipe.ingredients.map(convert) }))
}

function indexBy(
  recipes: readonly Recipe[],
  keysOf: (recipe: Recipe) => readonly string[],
): ReadonlyMap<string, readonly Recipe[]> {
  const index = new Map<string, Recipe[]>()
  for (const recipe of recipes) {
    for (const key of keysOf(recipe)) {
      const known = index.get(key)
      if (known) known.push(recipe)
      else index.set(key, [recipe])
    }
  }
  return index
}

/**
 * The depth of every name: 1 + the deepest ingredient, for the recipe with the least depth. 0 without a recipe. The
 * load order of recipes rules out most cycles. A remaining one counts as endless, so that another recipe is taken.
 */
function measureDepths(
  names: readonly string[],
  recipesOf: (name: string) => readonly Recipe[],
): ReadonlyMap<string, number> {
  const depths = new Map<string, number>()
  const open = new Set<string>()
  const depthOf = (name: string): number => {
    const known = depths.get(name)
    if (known !== undefined) return known
    if (open.has(name)) return Number.POSITIVE_INFINITY
    const recipes = recipesOf(name)
    if (recipes.length === 0) return 0
    open.add(name)
    const depth = Math.min(
      ...recipes.map(({ ingredients }) => 1 + Math.max(0, ...ingredients.map(({ id }) => depthOf(id)))),
    )
    open.delete(name)
    depths.set(name, depth)
    return depth
  }
  for (const name of names) depthOf(name)
  return depths
}

import type { Recipe } from './recipe.ts'

/**
 * The depth of every name: 1 + the deepest ingredient, for the recipe where that is least; 0 without a recipe. The load
 * order of recipes rules out most cycles; one that is left counts as endless, so that another recipe is taken.
 */
export function measureDepths(
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

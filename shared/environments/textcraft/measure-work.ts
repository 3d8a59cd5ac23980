import type { Recipe } from './recipe.ts'
import type { RecipeBook } from './recipe-book.ts'

/** The average number of crafts for one item, or one item with the tag. Gettable items have no entry. */
export type Work = ReadonlyMap<string, number>

/** A small cost per kind of ingredient, so that of two recipes with as many crafts the simpler one wins. */
const workOfIngredient = 0.5

export function workOf({ ingredients, output }: Recipe, work: Work): number {
  const crafts = ingredients.reduce(
    (sum, { id, count }) => sum + count * (work.get(id) ?? 0) + workOfIngredient,
    1,
  )
  return crafts / output.count
}

export function measureWork(book: RecipeBook): Work {
  const recipes = book.craftable.flatMap((id) => book.recipesOfItem(id))
  const namesOf = ({ output }: Recipe) => {
    const tag = book.tagOf(output.id)
    return tag === undefined ? [output.id] : [output.id, tag]
  }
  const work = new Map<string, number>()
  for (const recipe of recipes) {
    for (const name of namesOf(recipe)) work.set(name, Number.POSITIVE_INFINITY)
  }
  for (let isChanged = true; isChanged; ) {
    isChanged = false
    for (const recipe of recipes) {
      const found = workOf(recipe, work)
      for (const name of namesOf(recipe)) {
        if (found >= (work.get(name) ?? 0)) continue
        work.set(name, found)
        isChanged = true
      }
    }
  }
  return work
}

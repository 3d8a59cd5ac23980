import type { Count } from './count.ts'
import type { Ingredient, Recipe } from './recipe.ts'
import type { RecipeBook } from './recipe-book.ts'

export interface NamedItem {
  readonly id: string
  readonly isTag: boolean
}

export interface GivenItem extends NamedItem {
  readonly count: Count
}

/**
 * The first recipe of the item that uses exactly the ingredients: for each, the first fitting item left, in exactly
 * its count, with no item left over. Two batches in one craft are therefore no recipe.
 */
export function findRecipe(book: RecipeBook, output: string, given: readonly GivenItem[]): Recipe | null {
  return book.recipesOfItem(output).find((recipe) => usesExactly(book, recipe, given)) ?? null
}

function usesExactly(book: RecipeBook, recipe: Recipe, given: readonly GivenItem[]): boolean {
  const left = [...given]
  for (const ingredient of recipe.ingredients) {
    const index = left.findIndex((item) => fits(book, ingredient, item))
    if (index < 0 || left[index]?.count !== ingredient.count) return false
    left.splice(index, 1)
  }
  return left.length === 0
}

function fits(book: RecipeBook, ingredient: Ingredient, item: GivenItem): boolean {
  if (ingredient.kind === 'item') return !item.isTag && item.id === ingredient.id
  return item.isTag ? item.id === ingredient.id : book.tagOf(item.id) === ingredient.id
}

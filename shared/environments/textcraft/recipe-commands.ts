import { seededRandom } from '../../core/random/seeded-random.ts'
import { sampled, shuffled } from '../../core/random/shuffled.ts'
import { type Recipe, recipeLine } from './recipe.ts'
import type { RecipeBook } from './recipe-book.ts'

const mostDistractors = 10

/**
 * The recipes that a task shows, shuffled: all that its goal can need, down to basic items, and at most ten
 * distractors that use the same ingredients. The choice follows from the goal and the seed alone. (In the reference
 * it changes from process to process.)
 */
export function recipeCommands(book: RecipeBook, goal: string, seed: number): string[] {
  const random = seededRandom(`textcraft ${goal} ${seed}`)
  const needed = reachableRecipes(book, goal)
  const lines = new Set(needed.map(recipeLine))
  const distractors = new Set<string>()
  for (const { ingredients } of needed) {
    for (const { id } of ingredients) {
      for (const recipe of sampled(book.usesOf(id), mostDistractors, random)) {
        const line = recipeLine(recipe)
        if (!lines.has(line)) distractors.add(line)
      }
    }
  }
  return shuffled([...lines, ...sampled([...distractors], mostDistractors, random)], random)
}

export function neededLines(book: RecipeBook, goal: string): string[] {
  return [...new Set(reachableRecipes(book, goal).map(recipeLine))]
}

export function distractingLines(book: RecipeBook, goal: string): string[] {
  const needed = new Set(neededLines(book, goal))
  const used = reachableRecipes(book, goal).flatMap(({ ingredients }) => ingredients)
  const lines = new Set(used.flatMap(({ id }) => book.usesOf(id)).map(recipeLine))
  return [...lines].filter((line) => !needed.has(line)).sort()
}

function reachableRecipes(book: RecipeBook, goal: string): Recipe[] {
  const names = new Set([goal])
  const reachable: Recipe[] = []
  for (const name of names) {
    for (const recipe of book.recipesOf(name)) {
      reachable.push(recipe)
      for (const { id } of recipe.ingredients) names.add(id)
    }
  }
  return reachable
}

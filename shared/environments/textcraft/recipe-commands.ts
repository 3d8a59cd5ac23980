import { seededRandom } from '../../random/seeded-random.ts'
import { sampled, shuffled } from '../../random/shuffled.ts'
import { type Recipe, recipeLine } from './recipe.ts'
import type { RecipeBook } from './recipe-book.ts'

const mostDistractors = 10

/**
 * The recipes a task shows: all that its goal can need, down to what can only be got, and at most ten distractors that
 * use the same ingredients, shuffled together. The choice follows from the goal and the seed alone. (In the reference
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

import { displayName, type Ingredient, type Recipe } from './recipe.ts'
import type { RecipeBook } from './recipe-book.ts'

interface Decisions {
  readonly recipes: ReadonlyMap<string, Recipe>
  readonly carriers: ReadonlyMap<string, string>
}

interface Plan {
  readonly actions: readonly string[]
  readonly openItems: ReadonlySet<string>
  readonly openTags: ReadonlySet<string>
}

/** A deeper plan is a cycle: real recipes end after a handful of levels. */
const deepest = 64
const longest = 1000

/**
 * Plans the actions that craft a goal: a `get` for each basic item, then the crafts in order. The plan starts from
 * the recipes with the least work. It is then shortened by changing one decision at a time, so it is short and
 * reliable, but not proven the shortest. Returns null when the goal cannot be crafted.
 * Used for the length of a task, and for an expert's trajectory for imitation.
 * @example
 * createPlanner(book)('minecraft:stick') // ['get 2 bamboo', 'craft 1 stick using 2 bamboo']
 */
export function createPlanner(book: RecipeBook): (goal: string) => readonly string[] | null {
  const work = measureWork(book)
  const carriersOf = Map.groupBy(
    book.craftable.filter((id) => Number.isFinite(work.get(id))).sort(byNumber((id) => work.get(id) ?? 0)),
    (id) => book.tagOf(id),
  )
  const recipesOf = (id: string) =>
    book
      .recipesOfItem(id)
      .filter((recipe) => Number.isFinite(workOf(recipe, work)))
      .sort(byNumber((recipe) => workOf(recipe, work)))

  const improve = (goal: string, decisions: Decisions, plan: Plan): readonly string[] => {
    const changes = [
      ...[...plan.openItems].flatMap((id) =>
        recipesOf(id).map((recipe) => ({
          ...decisions,
          recipes: new Map(decisions.recipes).set(id, recipe),
        })),
      ),
      ...[...plan.openTags].flatMap((tag) =>
        (carriersOf.get(tag) ?? []).map((id) => ({
          ...decisions,
          carriers: new Map(decisions.carriers).set(tag, id),
        })),
      ),
    ]
    for (const changed of changes) {
      const shorter = makePlan(goal, changed)
      if (shorter && shorter.actions.length < plan.actions.length) return improve(goal, changed, shorter)
    }
    return plan.actions
  }

  const makePlan = (goal: string, decisions: Decisions): Plan | null => {
    const gets = new Map<string, number>()
    const crafts: string[] = []
    const stock = new Map<string, number>()
    const openItems = new Set<string>()
    const openTags = new Set<string>()

    const take = (id: string, count: number, depth: number): boolean => {
      while ((stock.get(id) ?? 0) < count) if (!make(id, count, depth)) return false
      stock.set(id, (stock.get(id) ?? 0) - count)
      return true
    }
    const make = (id: string, count: number, depth: number): boolean => {
      if (depth > deepest || crafts.length > longest) return false
      const held = stock.get(id) ?? 0
      if (!book.isCraftable(id)) {
        gets.set(id, (gets.get(id) ?? 0) + count - held)
        stock.set(id, count)
        return true
      }
      const options = recipesOf(id)
      const recipe = decisions.recipes.get(id) ?? options[0]
      if (recipe === undefined) return false
      if (options.length > 1) openItems.add(id)
      const used: string[] = []
      for (const ingredient of recipe.ingredients) {
        const item = itemFor(ingredient)
        if (item === undefined || !take(item, ingredient.count, depth + 1)) return false
        used.push(`${ingredient.count} ${displayName(item)}`)
      }
      stock.set(id, (stock.get(id) ?? 0) + recipe.output.count)
      crafts.push(`craft ${recipe.output.count} ${displayName(id)} using ${used.join(', ')}`)
      return true
    }
    const itemFor = ({ kind, id }: Ingredient): string | undefined => {
      if (kind === 'item') return id
      openTags.add(id)
      return decisions.carriers.get(id) ?? carriersOf.get(id)?.[0]
    }

    if (!take(goal, 1, 0)) return null
    const actions = [...[...gets].map(([id, count]) => `get ${count} ${displayName(id)}`), ...crafts]
    return { actions, openItems, openTags }
  }

  return (goal) => {
    const decisions = { recipes: new Map(), carriers: new Map() }
    const plan = makePlan(goal, decisions)
    return plan && improve(goal, decisions, plan)
  }
}

function byNumber<Item>(numberOf: (item: Item) => number): (one: Item, other: Item) => number {
  return (one, other) => numberOf(one) - numberOf(other)
}

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

function measureWork(book: RecipeBook): Work {
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

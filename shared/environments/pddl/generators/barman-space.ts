import { combinations, factorial, NumberChoices } from '../../generate/number-space.ts'
import { type BarRecipe, barman, leastBarSteps, numbered, writeBar } from '../domains/make-barman.ts'
import { barmanBounds, pddlGenerators } from './bounds.ts'
import { type ProblemSpace, sizesWithin } from './problem-generator.ts'

const glassesOfShaker = 2

const spareGlasses = 1

export const barmanSpace: ProblemSpace = {
  domain: barman,
  definition: pddlGenerators.barman,
  sizes: ['drinks', 'ingredients', 'cocktails'],
  within(bounds) {
    const given = barmanBounds.parse(bounds)
    return sizesWithin({
      drinks: [given.min_drinks, given.max_drinks],
      ingredients: [given.min_ingredients, given.max_ingredients],
      cocktails: [given.min_cocktails, given.max_cocktails],
    })
  },
  shapeOf(sizes) {
    const { cocktails: cocktailCount = 0, drinks = 0, ingredients: ingredientCount = 0 } = sizes
    if (drinks < 1 || ingredientCount < 2 || cocktailCount < 1) return null
    const ingredients = numbered('ingredient', ingredientCount)
    const cocktails = numbered('cocktail', cocktailCount)
    const glasses = numbered('shot', drinks + spareGlasses)
    return {
      sizes,
      size:
        factorial(ingredientCount) *
        BigInt(ingredientCount * (ingredientCount - 1)) ** BigInt(cocktailCount) *
        combinations(glasses.length, drinks) *
        BigInt(ingredientCount + cocktailCount) ** BigInt(drinks),
      problem(number) {
        const choices = new NumberChoices(number)
        const dispensed = choices.order(ingredients)
        const recipes = cocktails.map((cocktail): BarRecipe => {
          const first = choices.pick(ingredients)
          return [cocktail, first, choices.pick(ingredients.filter((each) => each !== first))]
        })
        const goal = choices
          .subset(glasses, drinks)
          .map((glass) => ({ glass, drink: choices.pick([...ingredients, ...cocktails]) }))
        const mixed = goal.map(({ drink }) => drink).filter((drink) => cocktails.includes(drink))
        const kinds = new Set(mixed).size
        const most = Math.max(0, ...cocktails.map((each) => mixed.filter((drink) => drink === each).length))
        const isMixedOnce = most <= 1 || (most <= glassesOfShaker && kinds === 1)
        if (!isMixedOnce) return null
        const minSteps = leastBarSteps(drinks - mixed.length, kinds, mixed.length - kinds)
        const wanted = goal.map(({ drink, glass }) => `contains ${glass} ${drink}`)
        return { problem: writeBar(glasses, ingredients, dispensed, recipes, wanted), minSteps }
      },
    }
  },
}

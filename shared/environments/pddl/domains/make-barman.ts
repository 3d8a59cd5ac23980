import { sampled, shuffled } from '../../../core/random/shuffled.ts'
import { type RobotDomain, writeProblem } from '../robot-domain.ts'
import { barmanLanguage, barmanRules, barmanText } from './barman.ts'

const orders = [
  { ingredients: 1, cocktails: 1, again: 0 },
  { ingredients: 0, cocktails: 1, again: 0 },
  { ingredients: 2, cocktails: 0, again: 0 },
  { ingredients: 0, cocktails: 2, again: 0 },
  { ingredients: 2, cocktails: 1, again: 0 },
  { ingredients: 0, cocktails: 1, again: 1 },
  { ingredients: 1, cocktails: 0, again: 0 },
  { ingredients: 1, cocktails: 1, again: 0 },
  { ingredients: 3, cocktails: 0, again: 0 },
  { ingredients: 1, cocktails: 1, again: 1 },
] as const

export type BarRecipe = readonly [cocktail: string, first: string, second: string]

export const barman: RobotDomain = {
  name: 'barman',
  text: barmanText,
  language: barmanLanguage,
  rules: barmanRules,
  tasks: { test: 20, train: 40 },
  generate(random, number) {
    const order = orders[number % orders.length] as (typeof orders)[number]
    const ingredients = numbered('ingredient', 3 + Math.floor(random() * 2))
    const recipes = numbered('cocktail', 3 + Math.floor(random() * 3)).map((cocktail): BarRecipe => {
      const [first = '', second = ''] = sampled(ingredients, 2, random)
      return [cocktail, first, second]
    })
    const chosen = sampled(recipes, order.cocktails, random).map(([cocktail]) => cocktail)
    const again = Array.from({ length: order.again }, () => chosen[0] ?? '')
    const drinks = shuffled([...sampled(ingredients, order.ingredients, random), ...chosen, ...again], random)
    const shots = numbered('shot', drinks.length + 1 + Math.floor(random() * 3))
    const glasses = sampled(shots, drinks.length, random)
    return {
      problem: writeBar(
        shots,
        ingredients,
        shuffled(ingredients, random),
        recipes,
        drinks.map((drink, index) => `contains ${glasses[index]} ${drink}`),
      ),
      minSteps: leastBarSteps(order.ingredients, order.cocktails, order.again),
    }
  },
  example: {
    problem: writeBar(
      numbered('shot', 2),
      numbered('ingredient', 2),
      numbered('ingredient', 2),
      [['cocktail1', 'ingredient1', 'ingredient2']],
      ['contains shot1 cocktail1'],
    ),
    turns: [
      ['shot1 has to stay clean for the cocktail, so I mix with shot2.', 'grasp shot2 with left'],
      ['The first part is ingredient1.', 'fill shot2 with ingredient1 from dispenser1 using left and right'],
      [
        'The shaker is empty and clean.',
        'pour ingredient1 from shot2 into clean shaker1 with left from level l0 to l1',
      ],
      [
        'For the other ingredient the shot has to be clean.',
        'clean shot2 of ingredient1 using left and right',
      ],
      ['The second part is ingredient2.', 'fill shot2 with ingredient2 from dispenser2 using left and right'],
      [
        'It goes into the shaker too.',
        'pour ingredient2 from shot2 into used shaker1 with left from level l1 to l2',
      ],
      ['Shaking takes the shaker in one hand and the other empty.', 'put down shot2 with left'],
      ['Now I take the shaker.', 'grasp shaker1 with left'],
      [
        'Both parts are in it.',
        'shake cocktail1 of ingredient1 and ingredient2 in shaker1 using left and right',
      ],
      ['shot1 is empty and clean.', 'pour cocktail1 from shaker1 into shot1 with left from level l2 to l1'],
    ],
    program: `// shot1 has to contain cocktail1, of ingredient1 and ingredient2. shot2 brings them into the shaker.
const both = " using left and right"

function fill(shot, ingredient, dispenser) {
  act("fill " + shot + " with " + ingredient + " from " + dispenser + both)
}

function pour(what, from, into, levels) {
  act("pour " + what + " from " + from + " into " + into + " with left from level " + levels)
}

act("grasp shot2 with left")
fill("shot2", "ingredient1", "dispenser1")
pour("ingredient1", "shot2", "clean shaker1", "l0 to l1")
act("clean shot2 of ingredient1" + both)
fill("shot2", "ingredient2", "dispenser2")
pour("ingredient2", "shot2", "used shaker1", "l1 to l2")
act("put down shot2 with left")
act("grasp shaker1 with left")
act("shake cocktail1 of ingredient1 and ingredient2 in shaker1" + both)
pour("cocktail1", "shaker1", "shot1", "l2 to l1")`,
    agentboardProgram: `// shot1 has to contain cocktail1, of ingredient1 and ingredient2. shot2 brings them into the shaker.
function fill(shot, ingredient, dispenser) {
  act("fill-shot glass " + shot + " with " + ingredient + " with left and right holding " + dispenser + ".")
}

function pour(shot, ingredient, manner, levels) {
  const action = "pour-shot-to-" + manner + "-shaker from a shot glass " + shot + " with " + ingredient
  act(action + " to a " + manner + " shaker shaker1 with hand left from level " + levels)
}

act("left grasp shot2.")
fill("shot2", "ingredient1", "dispenser1")
pour("shot2", "ingredient1", "clean", "l0 to level l1")
act("clean-shot glass shot2 with ingredient1 with hand left holding shot glass and right.")
fill("shot2", "ingredient2", "dispenser2")
pour("shot2", "ingredient2", "used", "l1 to level l2")
act("left leave shot2.")
act("left grasp shaker1.")
act("shake a cocktail cocktail1 with ingredient ingredient1 and ingredient ingredient2 in a shaker shaker1 with hand left and hand right")
act("pour-shaker-to-shot to a shot glass cocktail1 the ingredient shot1 with hand left from shaker shaker1 from level l2 to level l1")`,
  },
}

export function numbered(name: string, count: number): string[] {
  return Array.from({ length: count }, (_none, index) => `${name}${index + 1}`)
}

export function writeBar(
  shots: readonly string[],
  ingredients: readonly string[],
  dispensed: readonly string[],
  recipes: readonly BarRecipe[],
  goal: readonly string[],
) {
  const dispensers = numbered('dispenser', dispensed.length)
  const containers = ['shaker1', ...shots]
  return writeProblem(
    'barman',
    {
      shaker: ['shaker1'],
      shot: shots,
      hand: ['left', 'right'],
      ingredient: ingredients,
      cocktail: recipes.map(([cocktail]) => cocktail),
      dispenser: dispensers,
      level: ['l0', 'l1', 'l2'],
    },
    [
      ...containers.flatMap((container) => [
        `ontable ${container}`,
        `clean ${container}`,
        `empty ${container}`,
      ]),
      'handempty left',
      'handempty right',
      'shaker-level shaker1 l0',
      'shaker-empty-level shaker1 l0',
      'next l0 l1',
      'next l1 l2',
      ...dispensers.map((dispenser, index) => `dispenses ${dispenser} ${dispensed[index]}`),
      ...recipes.flatMap(([cocktail, first, second]) => [
        `cocktail-part1 ${cocktail} ${first}`,
        `cocktail-part2 ${cocktail} ${second}`,
      ]),
    ],
    goal,
  )
}

/**
 * A lower bound of the steps. Ingredients alone: each glass is grasped and filled, and put down for the next. A
 * cocktail takes nine steps up to the shaking (grasp, fill, pour, clean, fill, pour, put down, grasp, shake). Another
 * one takes three before that (put down, empty and clean the shaker), and each glass is poured. Beside a cocktail, an
 * ingredient may be as cheap as one filling.
 */
export function leastBarSteps(ingredients: number, cocktails: number, again: number): number {
  if (cocktails === 0) return 3 * ingredients - 1
  return 9 * cocktails + 3 * (cocktails - 1) + cocktails + again + ingredients
}

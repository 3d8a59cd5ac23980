import { type Catalogue, remembered } from './catalogue.ts'
import type { Goal } from './goal.ts'
import type { Product } from './product.ts'

const colours = (
  'alabaster apricot aqua ash asphalt azure banana beige black blue blush bordeaux bronze brown burgundy camel camo ' +
  'caramel champagne charcoal cheetah chestnut chocolate christmas coffee cognac copper coral cranberry cream crystal ' +
  'dark denim eggplant elephant espresso fuchsia gold granite grape graphite grass gray green grey heather indigo ivory ' +
  'ivy khaki lavender lemon leopard light lilac lime magenta maroon mauve merlot midnight mint mocha multicolor mushroom ' +
  'mustard natural navy nude olive orange peach pewter pink plum purple rainbow red rose royal rust sand sapphire ' +
  'seashell silver skull slate steel stone stonewash sunflower tan taupe teal tiger turquoise violet walnut wheat white ' +
  'wine yellow'
).split(' ')

const colourSet = new Set(colours)

function normaliseColour(value: string): string {
  return colours.find((colour) => value.includes(colour)) ?? value
}

function isColour(text: string): boolean {
  return colourSet.has(text)
}

export type Compatibility = 'espalier' | 'original'

export type Choice = [name: string, value: string]

export type ShopWords = Pick<typeof import('./words.ts'), 'titleNouns' | 'wordsOf' | 'hasSimilarWords'>

interface Worth {
  fits: number
  type: number
}

const mostKept = 20_000

/**
 * The reward of a purchase (WebShop, Yao et al. 2022, section 3.2 and appendix A). It is the share of the goal's
 * attributes and options that the product has, with its price as one more, times the match of its type.
 */
export function createReward(
  catalogue: Catalogue,
  compatibility: Compatibility,
  words: ShopWords,
): (goal: Goal, number: number, product: Product, choices: readonly Choice[]) => number {
  const worths = new Map<string, Worth>()
  const nouns = new Map<string, readonly string[]>()
  const nounsOf = (title: string) => remembered(nouns, mostKept, title, words.titleNouns)

  return (goal, number, product, choices) => {
    const { fits, type } = remembered(worths, mostKept, `${number} ${product.asin}`, () => ({
      fits: matchingAttributes(goal, product, words) + (product.price <= goal.price_upper ? 1 : 0),
      type: typeFactor(catalogue.find(goal.asin) ?? product, product, nounsOf),
    }))
    const parts = goal.attributes.length + goal.options.length + 1
    return ((fits + matchingOptions(goal, choices, { compatibility, words })) / parts) * type
  }
}

function matchingAttributes(
  { attributes }: Goal,
  product: Product,
  { wordsOf, hasSimilarWords }: ShopWords,
): number {
  const own = product.attributes.map(wordsOf)
  const texts = [product.name, product.features.join(' '), product.description].map((text) =>
    text.toLowerCase(),
  )
  return attributes.filter((attribute) => {
    const words = wordsOf(attribute)
    return (
      own.some((other) => hasSimilarWords(other, words)) || texts.some((text) => text.includes(attribute))
    )
  }).length
}

/**
 * Compares colours by their first colour word, on both sides. (The original does so on one side only if the goal's
 * option has a name: `darkred` is then bought as `red` and wanted as `color darkred`.)
 */
function matchingOptions(
  { options }: Goal,
  choices: readonly Choice[],
  { compatibility, words }: { compatibility: Compatibility; words: ShopWords },
): number {
  const { wordsOf, hasSimilarWords } = words
  if (choices.length === 0) return 0
  const chosen = choices.map(([, value]) => wordsOf(normaliseColour(value)))
  return options.filter(([name, value]) => {
    const wish =
      compatibility === 'original' && name !== null ? namedWish(name, value) : normaliseColour(value)
    return chosen.some((other) => hasSimilarWords(other, wordsOf(wish)))
  }).length
}

function namedWish(name: string, value: string): string {
  if (isColour(name)) return name
  return isColour(value) ? value : `${name} ${value}`
}

function typeFactor(wanted: Product, bought: Product, nounsOf: (title: string) => readonly string[]): number {
  const wantedNouns = nounsOf(wanted.name)
  const boughtNouns = new Set(nounsOf(bought.name))
  const shared = new Set(wantedNouns.filter((noun) => boughtNouns.has(noun)))
  const titleScore = wantedNouns.length === 0 ? 0.2 : shared.size / wantedNouns.length
  if (titleScore === 0) return 0
  if (titleScore < 0.1) return 0.1
  const boughtCategories = categoriesOf(bought)
  const common = [...categoriesOf(wanted)].filter((part) => boughtCategories.has(part)).length
  return wanted.query === bought.query || common >= 2 || titleScore > 0.2 ? 1 : 0.5
}

function categoriesOf({ product_category }: Product): Set<string> {
  return new Set(product_category.split('›').map((part) => part.trim()))
}

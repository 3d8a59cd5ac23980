import type { Random } from '../../core/random/random.ts'
import { seededRandom } from '../../core/random/seeded-random.ts'
import { choose, sampled } from '../../core/random/shuffled.ts'
import words from './catalogue-words.data.json' with { type: 'json' }
import { type Goal, priceLimit } from './goal.ts'
import { completeProduct, type StoredProduct } from './product.ts'

interface ProductKind {
  category: string
  query: string
  path: string
  nouns: string[]
  attributes: string[]
  uses: string[]
  options: [name: string, values: string[]][]
  price: number[]
}

const list = (text: string) => text.split(', ')
const [brands, lines] = [list(words.brands), list(words.lines)]
const kinds: readonly ProductKind[] = words.kinds.map((kind) => ({
  ...kind,
  nouns: list(kind.nouns),
  attributes: list(kind.attributes),
  uses: list(kind.uses),
  options: Object.entries<string | undefined>(kind.options).map(([name, values = '']) => [
    name,
    list(values),
  ]),
}))
const usualProducts = 1000

const mostAttempts = 1000

export interface ShopPlan {
  readonly products: number
  readonly seed: number
  readonly taken: ReadonlySet<string>
}

/**
 * Generates a shop of 1,000 products of 40 kinds, and a goal for each of them, from our own words. It is the same in
 * every process, and takes a few hundredths of a second.
 *
 * Products cycle through the kinds, and so do goals. Goals of products with an even number are worded like the public
 * files' patterns, the others as people write. No two goals have the same wording. In a large shop, a product without
 * a unique wording has no goal.
 * @param plan another shop; absent: the bundled one
 */
export function generateShop(plan?: ShopPlan): { products: StoredProduct[]; goals: Goal[] } {
  const products: StoredProduct[] = []
  const goals: Goal[] = []
  const instructions = new Set<string>(plan?.taken)
  for (let number = 0; number < (plan?.products ?? usualProducts); number += 1) {
    const kind = kinds[number % kinds.length] as ProductKind
    const product = generateProduct(number, kind, plan?.seed)
    products.push(product)
    const goal = generateGoal(number, kind, product, { taken: instructions, seed: plan?.seed })
    if (goal !== null) goals.push(goal)
  }
  return { products, goals }
}

function generateProduct(number: number, kind: ProductKind, seed: number | undefined): StoredProduct {
  const random = seededRandom('webshop product', number, ...(seed === undefined ? [] : [seed]))
  const attributes = sampled(kind.attributes, 3 + Math.floor(random() * 2), random)
  const uses = sampled(kind.uses, 1 + Math.floor(random() * 2), random)
  const [brand = '', line = '', noun = ''] = [brands, lines, kind.nouns].map((from) => choose(from, random))
  const [first = '', second = '', ...others] = attributes
  const [use = ''] = uses
  return {
    asin: asinOf(number, digits(6, random), seed),
    name: `${brand} ${line} ${noun}, ${titled(first)}, ${titled(second)}, for ${titled(use)}`,
    category: kind.category,
    query: kind.query,
    product_category: kind.path,
    description: `The ${line} is ${article(noun)} by ${brand}, made for ${uses.join(' and ')}. Known for: ${listed(attributes)}. Choose the version that suits you before you order.`,
    features: [
      `${titled(first)}: what owners of the ${line} mention first.`,
      ...[second, ...others].map((attribute) => `Also ${attribute}.`),
      `Good for ${uses.join(' and for ')}.`,
    ],
    prices: prices(kind.price, random),
    options: kind.options.map(([name, values]) => {
      const shown = new Set(
        sampled(values, 2 + Math.floor(random() * Math.min(4, values.length - 1)), random),
      )
      return [name, values.filter((value) => shown.has(value))]
    }),
    attributes: [...attributes, ...uses],
  }
}

/** Ten letters and digits. Shops with a seed may have many products, whose numbers differ in length. */
function asinOf(number: number, drawn: string, seed: number | undefined): string {
  const width = seed === undefined ? 2 : 4
  return `B0${number.toString(36).padStart(width, '0')}${drawn}`.toUpperCase().slice(0, 10)
}

function generateGoal(
  number: number,
  kind: ProductKind,
  product: StoredProduct,
  { seed, taken }: { seed: number | undefined; taken: Set<string> },
): Goal | null {
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const random = seededRandom('webshop goal', number, attempt, ...(seed === undefined ? [] : [seed]))
    const uses = product.attributes.filter((attribute) => kind.uses.includes(attribute))
    const qualities = product.attributes.filter((attribute) => kind.attributes.includes(attribute))
    const asked = sampled(qualities, 1 + Math.floor(random() * 2), random)
    const use = random() < 0.7 ? choose(uses, random) : undefined
    const options = product.options
      .filter(() => random() < 0.8)
      .map(([name, values]): [string, string] => [name, choose(values, random) ?? ''])
    const limit = priceLimit(completeProduct(product).price, {
      sample: (items, count) => sampled(items, count, random),
    })
    const wish = { kind: kind.query, qualities: asked, use, options, price_upper: limit.goal.price_upper }
    const isHuman = number % 2 === 1
    const instruction = phraseGoal(wish, isHuman ? random : null)
    if (taken.has(instruction)) continue
    taken.add(instruction)
    return {
      asin: product.asin,
      category: kind.category,
      kind: isHuman ? 'human' : 'synthetic',
      instruction,
      attributes: use === undefined ? asked : [...asked, use],
      options,
      ...limit.goal,
    }
  }
  return null
}

function prices([low = 0, high = 0]: readonly number[], random: Random): number[] {
  const dear = random()
  const first = Math.floor(low + (high - low) * dear * dear) + (random() < 0.5 ? 0.99 : 0.49)
  return random() < 0.15 ? [first, Math.round((first * 1.3 + 1) * 100) / 100] : [first]
}

function digits(count: number, random: Random): string {
  return Array.from({ length: count }, () => Math.floor(random() * 36).toString(36)).join('')
}

function titled(text: string): string {
  return text.replace(/(^|\s)\S/g, (letter) => letter.toUpperCase())
}

function article(noun: string): string {
  const text = noun.toLowerCase()
  if (/^(?:women's|men's)/.test(text) || text.endsWith('s')) return `one of the best ${text}`
  return /^[aeiou]/.test(text) ? `an ${text}` : `a ${text}`
}

function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}

interface Wish {
  kind: string
  qualities: readonly string[]
  use: string | undefined
  options: readonly (readonly [name: string, value: string])[]
  /** In dollars. */
  price_upper: number
}

interface Parts {
  kind: string
  qualities: string
  use: string
  options: string
  price: string
}

const patterns: readonly ((parts: Parts) => string)[] = [
  ({ kind, qualities, use, options, price }) =>
    `i am looking for ${kind}${use} that should be ${qualities}${options}. it has to cost less than ${price} dollars`,
  ({ kind, qualities, use, options, price }) =>
    `i need ${qualities} ${kind}${use}${options}, and my budget is under ${price} dollars`,
  ({ kind, qualities, use, options, price }) =>
    `can you find me ${kind}${use}? i want something ${qualities}${options}, priced below ${price} dollars`,
  ({ kind, qualities, use, options, price }) =>
    `please get ${kind} which is ${qualities}${use}${options}, for no more than ${price} dollars`,
  ({ kind, qualities, use, options, price }) =>
    `my sister would like ${kind}${use}${options}. it must be ${qualities} and cheaper than ${price} dollars`,
  ({ kind, qualities, use, options, price }) =>
    `show me ${qualities} ${kind}${options}${use}, and price lower than ${price} dollars`,
]

function phraseGoal({ kind, qualities, use, options, price_upper }: Wish, random: Random | null): string {
  const price = price_upper.toFixed(2)
  const purpose = use === undefined ? '' : ` for ${use}`
  if (random === null) {
    const chosen = options.map(([name, value]) => `${name}: ${value}`).join(', and ')
    const versions = chosen === '' ? '' : ` with ${chosen}`
    return `Find me ${qualities.join(', ')} ${kind}${purpose}${versions}, and price lower than ${price} dollars`
  }
  const pattern = choose(patterns, random) as (parts: Parts) => string
  return pattern({ kind, qualities: qualities.join(' and '), use: purpose, options: worded(options), price })
}

const wordings: Record<string, (value: string) => string> = {
  color: (value) => ` in ${value}`,
  size: (value) => ` in size ${value}`,
  scent: (value) => ` with ${value} scent`,
  flavor: (value) => ` with ${value} flavor`,
}

function worded(options: Wish['options']): string {
  return options.map(([name, value]) => (wordings[name] ?? ((other) => ` as ${other}`))(value)).join(' and')
}

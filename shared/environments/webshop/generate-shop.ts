import type { Random } from '../../random/random.ts'
import { seededRandom } from '../../random/seeded-random.ts'
import { choose, sampled } from '../../random/shuffled.ts'
import words from './catalogue-words.data.json' with { type: 'json' }
import { type Goal, priceLimit } from './goal.ts'
import { phraseGoal } from './phrase-goal.ts'
import { completeProduct, type StoredProduct } from './product.ts'

/** One kind of thing that the shop sells, with what its products may be like. */
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
const productCount = 1000

/**
 * A shop of 1,000 products of 40 kinds, and a goal for each of them, made from words of our own: the same in every
 * process, and made in a few hundredths of a second.
 *
 * Product and goal with the number n are of the kind n mod 40. Goals with an even number are put like those that patterns
 * gave in the public files, the others as people write.
 */
export function generateShop(): { products: StoredProduct[]; goals: Goal[] } {
  const products: StoredProduct[] = []
  const goals: Goal[] = []
  const instructions = new Set<string>()
  for (let number = 0; number < productCount; number += 1) {
    const kind = kinds[number % kinds.length] as ProductKind
    const product = generateProduct(number, kind)
    products.push(product)
    goals.push(generateGoal(number, kind, product, instructions))
  }
  return { products, goals }
}

function generateProduct(number: number, kind: ProductKind): StoredProduct {
  const random = seededRandom('webshop product', number)
  const attributes = sampled(kind.attributes, 3 + Math.floor(random() * 2), random)
  const uses = sampled(kind.uses, 1 + Math.floor(random() * 2), random)
  const [brand = '', line = '', noun = ''] = [brands, lines, kind.nouns].map((from) => choose(from, random))
  const [first = '', second = '', ...others] = attributes
  const [use = ''] = uses
  return {
    asin: `B0${number.toString(36).padStart(2, '0')}${digits(6, random)}`.toUpperCase().slice(0, 10),
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

function generateGoal(number: number, kind: ProductKind, product: StoredProduct, taken: Set<string>): Goal {
  for (let attempt = 0; ; attempt += 1) {
    const random = seededRandom('webshop goal', number, attempt)
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

import { seededRandom } from '../../core/random/seeded-random.ts'

export interface StoredProduct {
  asin: string
  name: string
  category: string
  query: string
  product_category: string
  description: string
  features: string[]
  prices: number[]
  options: [name: string, values: string[]][]
  /** The product's attributes, such as `easy clean`: hidden, for the reward alone. */
  attributes: string[]
}

export interface Product extends StoredProduct {
  /** The price in dollars. If the shop shows a range, a point in it. */
  price: number
  price_tag: string
}

/**
 * Adds the derived fields of a stored product. The price within a range is drawn from the product's own seed, so it
 * is the same in every process. (The original draws it before it sets a seed: there the same task may have another
 * limit or price at each start.)
 */
export function completeProduct(stored: StoredProduct): Product {
  const [low = 100, high] = stored.prices
  const price = high === undefined ? low : low + (high - low) * seededRandom('webshop price', stored.asin)()
  const price_tag = high === undefined ? `$${dollars(low)}` : `$${dollars(low)} to $${dollars(high)}`
  return { ...stored, price, price_tag }
}

export function searchText({ name, description, features, options }: StoredProduct): string {
  const choices = options.map(([option, values]) => `${option}: ${values.join(', ')}`).join(', and ')
  return `${name} ${description} ${features[0] ?? ''} ${choices}`.toLowerCase()
}

export function dollars(amount: number): string {
  return Number.isInteger(amount) ? `${amount}.0` : String(amount)
}

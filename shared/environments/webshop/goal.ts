import type { Product } from './product.ts'
import { type PythonRandom, pythonRandom } from './python-random.ts'

export interface Goal {
  asin: string
  category: string
  kind: 'human' | 'synthetic'
  instruction: string
  attributes: string[]
  options: [name: string | null, value: string][]
  /** Maximum price of the product, in dollars. */
  price_upper: number
}

export interface Wishes {
  synthetic: { instruction: string; attributes: string[] } | null
  human: { instruction: string; attributes: string[]; options: [name: string | null, value: string][] }[]
}

/** The seed of the original, and of the field's lists of tasks. */
const seed = 233
const noUpperPrice = 1_000_000

/**
 * Creates goals in the order of the original, so that a goal's position is its number in lists of tasks. These are
 * the goals of the products in catalogue order, shuffled by Python's generator with the seed 233.
 *
 * The upper price is drawn from the same generator, seeded before the first goal. (AgentGym's server does that for
 * synthetic goals. The original draws it unseeded, so limits there differ from start to start.)
 *
 * - `synthetic`: the instruction with every combination of the product's options.
 * - `human`: each instruction that a person wrote for the product; those without attributes are left out.
 */
export function createGoalMaker(kind: Goal['kind']): {
  add(product: Product, wishes: Wishes): void
  finish(): Goal[]
} {
  const random = pythonRandom(seed)
  const goals: Goal[] = []
  return {
    add({ asin, category, price, options }, { human, synthetic }) {
      if (kind === 'human') {
        for (const { instruction, attributes, options: chosen } of human) {
          if (attributes.length === 0) continue
          const limit = priceLimit(price, random)
          const text = `${instruction.replace(/^\.+|\.+$/g, '')}${limit.text}`
          goals.push({ asin, category, kind, instruction: text, attributes, options: chosen, ...limit.goal })
        }
      } else if (synthetic !== null) {
        const { instruction, attributes } = synthetic
        const limit = priceLimit(price, random)
        for (const chosen of combinations(options)) {
          const wish = chosen.map(([name, value]) => `${name}: ${value}`).join(', and ')
          const text = `${instruction}${wish === '' ? '' : ` with ${wish}`}${limit.text}`
          goals.push({ asin, category, kind, instruction: text, attributes, options: chosen, ...limit.goal })
        }
      }
    },
    finish() {
      pythonRandom(seed).shuffle(goals)
      return goals
    },
  }
}

export function priceLimit(
  price: number,
  random: Pick<PythonRandom, 'sample'>,
): { text: string; goal: { price_upper: number } } {
  const next = Math.floor(price / 10) * 10 + 10
  const choices = [next, next + 10, next + 20, next + 30].filter((limit) => limit <= 990)
  if (choices.length < 2) return { text: '', goal: { price_upper: noUpperPrice } }
  const price_upper = Math.max(...random.sample(choices, 2))
  return { text: `, and price lower than ${price_upper.toFixed(2)} dollars`, goal: { price_upper } }
}

function combinations(options: Product['options']): [name: string, value: string][][] {
  const sorted = [...options].sort(([one], [other]) => (one < other ? -1 : 1))
  return sorted.reduce<[name: string, value: string][][]>(
    (chosen, [name, values]) =>
      chosen.flatMap((rest) => values.map((value) => [...rest, [name, value] as [string, string]])),
    [[]],
  )
}

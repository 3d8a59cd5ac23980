import type { TaskGenerator, TaskShape } from '../generate/task-generator.ts'
import { type Catalogue, createCatalogue, remembered } from './catalogue.ts'
import { catalogueBounds, catalogueGenerator } from './definition.ts'
import { generateShop } from './generate-shop.ts'
import type { Goal } from './goal.ts'

export interface ShopGoal {
  readonly shop: string
  goals(): readonly Goal[]
  load(): Promise<Catalogue>
  readonly number: number
}

const mostKept = 4
const form = /^products-([1-9]\d{1,4})-seed-(0|[1-9]\d{0,9})$/

const leastSteps = 3

/**
 * Generates shops of any size and seed. A goal's words decide its split, and no goal has the wording of one in the
 * bundled shop.
 * @param builtin the instructions of that shop
 */
export function createCatalogueGenerator(builtin: () => ReadonlySet<string>): TaskGenerator<ShopGoal> {
  const shops = new Map<string, ReturnType<typeof generateShop>>()

  const toShape = (products: number, seed: number): TaskShape<ShopGoal> => {
    const name = `products-${products}-seed-${seed}`
    const shop = () =>
      remembered(shops, mostKept, name, () => generateShop({ products, seed, taken: builtin() }))
    const goals = () => shop().goals
    const load = async () => {
      const { add, catalogue } = createCatalogue()
      add(shop().products)
      return catalogue
    }
    return {
      name,
      size: BigInt(goals().length),
      splitKey: (number) => goals()[Number(number)]?.instruction ?? '',
      make(number) {
        const goal = goals()[Number(number)]
        if (goal === undefined) return null
        const { category, instruction, kind, options } = goal
        return {
          content: { shop: name, goals, load, number: Number(number) },
          type: `${kind}-${category}`,
          description: instruction,
          min_steps: leastSteps + options.length,
        }
      },
    }
  }

  return {
    ...catalogueGenerator,
    shapes: (bounds, seed) => [toShape(catalogueBounds.parse(bounds).products, seed)],
    shapeOf(name) {
      const [, products, seed] = form.exec(name) ?? []
      const size = catalogueBounds.safeParse({ products: Number(products) })
      return size.success && Number(seed) <= 2_147_483_647 ? toShape(size.data.products, Number(seed)) : null
    },
  }
}

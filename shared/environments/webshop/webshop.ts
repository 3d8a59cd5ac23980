import { EspalierError } from '../../core/contracts/errors.ts'
import { loadOptional } from '../../core/programs/load-optional.ts'
import { seededRandom } from '../../core/random/seeded-random.ts'
import type { DataPack } from '../data-pack.ts'
import type { EnvironmentTask, PureCore, PureEnvironment } from '../environment.ts'
import { findGenerated, type TaskGenerator } from '../generate/task-generator.ts'
import { type Catalogue, createCatalogue } from './catalogue.ts'
import { createCatalogueGenerator, type ShopGoal } from './generate-catalogues.ts'
import { generateShop } from './generate-shop.ts'
import type { Goal } from './goal.ts'
import { webshopGuide } from './guide.ts'
import { showPage, type WebshopState } from './page.ts'
import { type Compatibility, createReward } from './reward.ts'
import { clicksOn, createWebshopStep } from './step.ts'
import { readGoals, readManifest, readProducts } from './webshop-pack.ts'

const ownShop = 'own'

const mostShops = 4

type SplitRule = (goal: Goal, number: number) => 'test' | 'dev' | 'train'

export interface WebshopSource {
  goals(): readonly Goal[]
  splitOf: SplitRule
  load(): Promise<Catalogue>
  /**
   * `original` keeps these known defects of the original:
   * - colours are reduced to their colour word on the bought side only, if the goal names its options. Some goals
   *   are then out of full reach;
   * - `Next >` is always there, even if no page follows;
   * - an option with a bracket in its name cannot be chosen.
   *
   * One defect is always corrected, because its result differs from start to start: prices within a range, and the
   * limits of human goals, are drawn from seeds. Another one is too: `<r>`, `<a>`, `<c>` and `<q>`, which list
   * products past the search engine, are searched like other words.
   */
  compatibility: Compatibility
  generators?: readonly TaskGenerator<ShopGoal>[]
}

/**
 * WebShop (Yao et al., 2022): find a product by an instruction, among many, with a search engine and item pages,
 * choose its options and buy it. Pages are the texts of the original, actions are `search[…]` and `click[…]`, and the
 * reward of the purchase is the published one. No other action earns a reward, and an episode without a purchase
 * earns 0.
 * Progress is the maximum reward of a purchase so far, at any item page with the options chosen there. `validActions`
 * are the clicks of a page. Searches cannot be listed, so the search page has none.
 * @example
 * const shop = createWebshop({ goals: () => goals, splitOf: splitByNumber, load: async () => catalogue,
 *   compatibility: 'espalier' })
 */
export function createWebshop({
  goals,
  splitOf,
  load,
  compatibility,
  generators = [],
}: WebshopSource): PureEnvironment<WebshopState> {
  let tasks: readonly EnvironmentTask[] | undefined
  const cores = new CoreCache()

  const find = (task: string): ShopGoal => {
    const number = goalNumber(task)
    if (number !== null && number < goals().length) return { shop: ownShop, goals, load, number }
    const made = findGenerated(generators, task)?.content
    if (made !== undefined) return made
    throw new EspalierError(
      'unknown_task',
      `webshop has no task "${task}": they are webshop-0 to webshop-${goals().length - 1}.`,
      { param: 'tasks.ids' },
    )
  }

  async function openCore({ goals: goalsOf, load: loadShop }: ShopGoal): Promise<PureCore<WebshopState>> {
    // Loaded on demand: unfolding the tagger's lexicon takes a quarter of a second, which only players should pay.
    const loadWords = () => import('./words.ts')
    const [catalogue, words] = await Promise.all([
      loadShop(),
      loadOptional(['compromise', 'fuzzball'], 'WebShop', loadWords),
    ])
    const reward = createReward(catalogue, compatibility, words)
    const shop = { catalogue, goals: goalsOf(), compatibility, reward }
    return {
      reset: (task) => {
        const start = { page: 'search', keywords: '', number: 0, asin: '', choices: [], best: 0 } as const
        const state: WebshopState = { goal: find(task).number, ...start, choices: [] }
        return { state, observation: showPage(shop, state) }
      },
      step: createWebshopStep(shop),
      validActions: (state) =>
        clicksOn(shop, state)
          .map((value) => `click[${value}]`)
          .sort(),
    }
  }

  return {
    id: 'webshop',
    description:
      'Shop by an instruction: search a catalogue, compare items, choose options and buy (WebShop).',
    snapshot: 'native',
    deterministic: true,
    success_threshold: 1,
    default_max_steps: 10,
    tasks: () => {
      tasks ??= createWebshopTasks(goals(), splitOf)
      return tasks
    },
    ...(generators.length > 0 && { generators }),
    describe: () => webshopGuide,
    async open(task) {
      const found = find(task)
      return cores.open(found.shop, () => openCore(found))
    },
  }
}

/** The splits of the WebShop paper, by the numbers of human goals: 0–499 test, 500–1499 dev, from 1500 train. */
const splitByNumber: SplitRule = (_goal, number) => {
  if (number < 500) return 'test'
  return number < 1500 ? 'dev' : 'train'
}

/**
 * Splits for goals from patterns. One product may have many goals that differ only in an option, so a product's goals
 * are all in one split: about a fifth of the products in test, a tenth in dev, all others in train.
 */
export const splitByProduct: SplitRule = ({ asin }) => {
  const place = seededRandom('webshop split', asin)()
  if (place < 0.2) return 'test'
  return place < 0.3 ? 'dev' : 'train'
}

function goalNumber(task: string): number | null {
  const digits = /^webshop-(0|[1-9]\d{0,9})$/.exec(task)?.[1]
  return digits === undefined ? null : Number(digits)
}

export function createWebshopTasks(goals: readonly Goal[], splitOf: SplitRule): EnvironmentTask[] {
  const tasks = goals.map(
    (goal, number): EnvironmentTask => ({
      id: `webshop-${number}`,
      split: splitOf(goal, number),
      type: `${goal.kind}-${goal.category}`,
      description: goal.instruction,
    }),
  )
  return ['test', 'dev', 'train'].flatMap((split) => tasks.filter((task) => task.split === split))
}

class CoreCache {
  readonly #opened = new Map<string, Promise<PureCore<WebshopState>>>()

  open(shop: string, make: () => Promise<PureCore<WebshopState>>): Promise<PureCore<WebshopState>> {
    const known = this.#opened.get(shop)
    const opening = known ?? make()
    this.#opened.delete(shop)
    this.#opened.set(shop, opening)
    if (known) return known
    opening.catch(() => this.#opened.delete(shop))
    const oldest = this.#opened.size > mostShops ? this.#opened.keys().next().value : undefined
    if (oldest !== undefined) this.#opened.delete(oldest)
    return opening
  }
}

function openGenerated(): PureEnvironment<WebshopState> {
  let made: ReturnType<typeof generateShop> | undefined
  const shop = () => {
    made ??= generateShop()
    return made
  }
  return createWebshop({
    goals: () => shop().goals,
    splitOf: splitByProduct,
    compatibility: 'espalier',
    generators: [createCatalogueGenerator(() => new Set(shop().goals.map(({ instruction }) => instruction)))],
    async load() {
      const { add, catalogue } = createCatalogue()
      add(shop().products)
      return catalogue
    },
  })
}

async function openPack(pack: DataPack): Promise<PureEnvironment<WebshopState>> {
  const manifest = await readManifest(pack)
  const goals = await readGoals(pack, manifest)
  return createWebshop({
    goals: () => goals,
    splitOf: manifest.goals === 'human' ? splitByNumber : splitByProduct,
    compatibility: manifest.compatibility,
    async load() {
      const { add, catalogue } = createCatalogue()
      for await (const products of readProducts(pack, manifest)) add(products)
      return catalogue
    },
  })
}

export async function openWebshop(pack: DataPack | null): Promise<PureEnvironment<WebshopState>> {
  return pack === null ? openGenerated() : openPack(pack)
}

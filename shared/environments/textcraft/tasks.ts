import { seededRandom } from '../../core/random/seeded-random.ts'
import type { EnvironmentTask } from '../environment.ts'
import { createPlanner } from './plan-goal.ts'
import { displayName } from './recipe.ts'
import type { RecipeBook } from './recipe-book.ts'

export interface TextcraftTask extends EnvironmentTask {
  readonly goal: string
}

export const textcraftMaxSteps = 20

const testEvery = 5

/**
 * Creates one task per craftable item. Ids number the goals by depth, then name: `textcraft-0042`.
 *
 * Splits: goals whose plan has more than {@link textcraftMaxSteps} steps are in `long`, so that the other splits can
 * be solved within the default. Of the others of one depth, in the order of their ids, every fifth (the 3rd, 8th,
 * 13th …) is in `test`, the remainder in `train`. No goal is in two splits, and `test` and `train` have every depth
 * in the same share.
 *
 * Order within a split: every depth is put in a fixed random order and spread evenly over the split, each starting at
 * the front. Any prefix of the tasks is therefore a fair mix of depths and of kinds of item.
 */
export function createTextcraftTasks(book: RecipeBook): TextcraftTask[] {
  const plan = createPlanner(book)
  const seen = new Map<number, number>()
  const splitOf = (goal: string, depth: number): string => {
    if ((plan(goal)?.length ?? Number.POSITIVE_INFINITY) > textcraftMaxSteps) return 'long'
    const position = seen.get(depth) ?? 0
    seen.set(depth, position + 1)
    return position % testEvery === 2 ? 'test' : 'train'
  }
  const tasks = book.craftable
    .filter((id) => !book.isTag(id))
    .map((goal) => ({ goal, depth: book.depthOf(goal) }))
    .sort((one, other) => one.depth - other.depth || (one.goal < other.goal ? -1 : 1))
    .map(
      ({ goal, depth }, number): TextcraftTask => ({
        id: `textcraft-${String(number).padStart(4, '0')}`,
        split: splitOf(goal, depth),
        type: `depth-${depth}`,
        description: `Craft ${displayName(goal)}.`,
        goal,
      }),
    )
  return ['test', 'train', 'long'].flatMap((split) =>
    interleaved(tasks.filter((task) => task.split === split)),
  )
}

/**
 * The numbers of AgentGym's evaluation set (Xi et al. 2024; Agent-R plays the same). They restart with each depth of
 * the published recipes, of which there are 140, 280, 113 and 11.
 */
const publishedTests = [
  [0, 30],
  [140, 180],
  [420, 444],
  [533, 535],
] as const

/**
 * The goals as an AgentGym server numbers them: by depth, and within a depth in the load order of their recipes.
 * `textcraft_42` is `data_idx` 42, and the id of the item in AgentGym's files, so that it is never confused with a
 * goal of the bundled recipes. The split `test` is AgentGym's evaluation set, by number. All others are `train`.
 */
export function createServerTasks(book: RecipeBook): TextcraftTask[] {
  const tasks = book.craftable
    .map((goal) => ({ goal, depth: book.depthOf(goal) }))
    .sort((one, other) => one.depth - other.depth)
    .map(
      ({ goal, depth }, number): TextcraftTask => ({
        id: `textcraft_${number}`,
        split: publishedTests.some(([from, to]) => number >= from && number <= to) ? 'test' : 'train',
        type: `depth-${depth}`,
        description: `Craft ${displayName(goal)}.`,
        goal,
      }),
    )
  return ['test', 'train'].flatMap((split) => tasks.filter((task) => task.split === split))
}

function interleaved(tasks: readonly TextcraftTask[]): TextcraftTask[] {
  const depths = Map.groupBy(tasks, ({ type }) => type)
  const placed = [...depths.values()].flatMap((depth) =>
    depth
      .map((task) => ({ task, key: seededRandom(task.goal)() }))
      .sort((one, other) => one.key - other.key)
      .map(({ task }, index) => ({ task, place: index / depth.length })),
  )
  return placed
    .sort((one, other) => one.place - other.place || (one.task.id < other.task.id ? -1 : 1))
    .map(({ task }) => task)
}

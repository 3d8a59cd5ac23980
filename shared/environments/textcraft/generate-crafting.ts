import { digestText } from '../../core/random/random.ts'
import { seededRandom } from '../../core/random/seeded-random.ts'
import { shuffled } from '../../core/random/shuffled.ts'
import { combinations, NumberChoices } from '../generate/number-space.ts'
import type { TaskGenerator, TaskShape } from '../generate/task-generator.ts'
import { craftingBounds, textcraftGenerator } from './definition.ts'
import { displayName } from './recipe.ts'
import type { RecipeBook } from './recipe-book.ts'
import { distractingLines, neededLines } from './recipe-commands.ts'
import type { TextcraftTask } from './tasks.ts'

export interface CraftingContent {
  readonly goal: string
  readonly lines: readonly string[]
}

const prefix = 'minecraft:'
const mostDistractors = 100

const devEvery = 8

/**
 * Generates the goals of a recipe book with other distractors than the bundled tasks: every choice of that many
 * distractors is a task. A goal keeps its split among the bundled tasks. Some goals of `train` are `dev` here.
 */
export function createCraftingGenerator(
  book: RecipeBook,
  tasks: () => readonly TextcraftTask[],
): TaskGenerator<CraftingContent> {
  const lineCache = new Map<string, { needed: readonly string[]; distracting: readonly string[] }>()
  const linesOf = (goal: string) => {
    const known = lineCache.get(goal)
    if (known !== undefined) return known
    const lines = { needed: neededLines(book, goal), distracting: distractingLines(book, goal) }
    lineCache.set(goal, lines)
    return lines
  }
  const shapeOf = (task: TextcraftTask, distractors: number): TaskShape<CraftingContent> => {
    const { description, goal, split, type } = task
    const { distracting, needed } = linesOf(goal)
    const shown = Math.min(distractors, distracting.length)
    return {
      name: `${nameOf(goal)}-${distractors}`,
      size: combinations(distracting.length, shown),
      split: split === 'test' ? 'test' : digestText(goal) % devEvery === 0 ? 'dev' : 'train',
      make: (number) => ({
        content: { goal, lines: [...needed, ...new NumberChoices(number).subset(distracting, shown)] },
        type,
        description,
        min_steps: book.depthOf(goal) + 1,
      }),
    }
  }
  const playable = () => tasks().filter(({ goal, split }) => split !== 'long' && goal.startsWith(prefix))
  return {
    ...textcraftGenerator,
    shapes(bounds) {
      const { distractors, max_depth, min_depth } = craftingBounds.parse(bounds)
      return playable()
        .filter(({ goal }) => book.depthOf(goal) >= min_depth && book.depthOf(goal) <= max_depth)
        .map((task) => shapeOf(task, distractors))
    },
    shapeOf(name) {
      const [, goal, digits] = /^(\w+)-(\d{1,3})$/.exec(name) ?? []
      const task = playable().find((each) => nameOf(each.goal) === goal)
      const distractors = Number(digits)
      return task === undefined || distractors > mostDistractors ? null : shapeOf(task, distractors)
    },
  }
}

function nameOf(goal: string): string {
  return goal.slice(prefix.length)
}

export function craftingText({ goal, lines }: CraftingContent, id: string, seed: number): string {
  const commands = shuffled(lines, seededRandom('textcraft order', id, seed)).join('\n')
  return `Crafting commands:\n${commands}\n\nGoal: craft ${displayName(goal)}.`
}

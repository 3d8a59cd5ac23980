import { EspalierError } from '../../core/contracts/errors.ts'
import type { PureCore, PureEnvironment } from '../environment.ts'
import { findGenerated } from '../generate/task-generator.ts'
import { craftingText, createCraftingGenerator } from './generate-crafting.ts'
import { textcraftGuide } from './guide.ts'
import { displayName } from './recipe.ts'
import { createRecipeBook, type RecipeBook } from './recipe-book.ts'
import { recipeCommands } from './recipe-commands.ts'
import recipes from './recipes.data.json' with { type: 'json' }
import { createTextcraftStep, type TextcraftState } from './step.ts'
import { createTextcraftTasks, type TextcraftTask, textcraftMaxSteps } from './tasks.ts'

/** Its rules are the same for all tasks, so it needs no `open`. */
export type Textcraft = PureEnvironment<TextcraftState> & PureCore<TextcraftState>

/**
 * TextCraft over any set of Minecraft recipes: craft the goal from recipes shown among distractors, with `get`,
 * `craft` and `inventory`. The game is from ADaPT (Prasad et al., 2023). Its texts and edge cases equal those of
 * AgentGym's server (Xi et al., 2024), so agents trained on one play the other.
 * A task shows the same text in every process. A seed other than 0 shows other distractors in another order.
 * @param makeTasks creates the goals with their ids and splits
 * @example
 * const game = createTextcraft(await loadRecipeFolder('datapack/data/minecraft/recipes'))
 */
export function createTextcraft(
  book: RecipeBook,
  makeTasks: (book: RecipeBook) => readonly TextcraftTask[] = createTextcraftTasks,
): Textcraft {
  let made: { list: readonly TextcraftTask[]; byId: ReadonlyMap<string, TextcraftTask> } | undefined
  const tasks = () => {
    if (made === undefined) {
      const list = makeTasks(book)
      made = { list, byId: new Map(list.map((task) => [task.id, task])) }
    }
    return made
  }
  const generators =
    makeTasks === createTextcraftTasks ? [createCraftingGenerator(book, () => tasks().list)] : []
  const find = (task: string): { goal: string; show(seed: number): string } => {
    const own = tasks().byId.get(task)
    if (own) return { goal: own.goal, show: (seed) => showGoal(own.goal, seed) }
    const made = findGenerated(generators, task)?.content
    if (made) return { goal: made.goal, show: (seed) => craftingText(made, task, seed) }
    throw new EspalierError(
      'unknown_task',
      `textcraft has no task "${task}". List its tasks to find their ids.`,
      { param: 'tasks.ids' },
    )
  }
  const showGoal = (goal: string, seed: number) =>
    `Crafting commands:\n${recipeCommands(book, goal, seed).join('\n')}\n\nGoal: craft ${displayName(goal)}.`
  const core: PureCore<TextcraftState> = {
    reset: (task, seed) => {
      const { goal, show } = find(task)
      return { state: { goal, inventory: {} }, observation: show(seed) }
    },
    step: createTextcraftStep(book),
  }
  return {
    id: 'textcraft',
    description:
      'Craft an item in a text world of Minecraft recipes, from recipes shown among distractors (TextCraft).',
    snapshot: 'native',
    deterministic: true,
    success_threshold: 1,
    default_max_steps: textcraftMaxSteps,
    tasks: () => tasks().list,
    ...(generators.length > 0 && { generators }),
    describe: () => textcraftGuide,
    async open(task) {
      find(task)
      return core
    },
    ...core,
  }
}

/**
 * TextCraft with the bundled recipes (ATTRIBUTION.md names their source).
 * @example
 * const { state, observation } = textcraft.reset('textcraft-0042', 0)
 * const { reward, done } = textcraft.step(state, 'get 2 oak logs')
 */
export const textcraft = createTextcraft(createRecipeBook(recipes))

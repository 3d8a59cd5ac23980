import type { ApiClient } from '../../shared/core/client/api-client.ts'
import type { PaperRecipe } from '../../shared/insight/recipes/recipe.ts'
import type { Connection } from '../connect.ts'
import type { GlobalOptions } from '../global-options.ts'
import type { Terminal } from '../terminal.ts'
import type { CheckedNeed } from './check-recipe.ts'
import type { NamedModel, PaperChoice } from './paper-cells.ts'
import { checkTrainings, type PlannedTraining, plannedTrainings } from './plan-trainings.ts'
import { type TrainedModels, trainModels } from './train-models.ts'

// Checks the loops of the recipe, and returns the choice as if `--model` were each trained model.
export async function planModels(client: ApiClient, recipe: PaperRecipe, choice: PaperChoice) {
  const planned = plannedTrainings(recipe, choice)
  const trainings = await checkTrainings(client, planned)
  const trained: Record<string, Readonly<Record<string, NamedModel>> | string> = {}
  const begins: PlannedTraining[] = []
  for (const [at, each] of planned.entries()) {
    const { ok, here } = trainings[at] as CheckedNeed
    const keys = Object.keys(each.training.models)
    const { model } = choice
    if (!ok || model === null) trained[each.environment] = ok ? 'give --model' : here
    else {
      trained[each.environment] = Object.fromEntries(keys.map((key) => [key, model]))
      begins.push(each)
    }
  }
  return { trainings, begins, supposed: { ...choice, trained } }
}

// Plays the loops that can begin, each with an equal share of the budget; the runs of the table keep one share.
export async function trainPlanned(
  connection: Connection,
  { begins, supposed }: Awaited<ReturnType<typeof planModels>>,
  options: GlobalOptions & { maxCost?: number },
  terminal: Terminal,
) {
  const { maxCost } = options
  const cost = maxCost === undefined ? null : maxCost / (begins.length + 1)
  const made: TrainedModels[] = []
  for (const each of begins) {
    made.push(await trainModels(connection, each, { cost, expert: supposed.model }, options, terminal))
  }
  const models = Object.fromEntries(made.map(({ environment, models }) => [environment, models]))
  const spent = made.reduce((sum, { loop }) => sum + (loop.usage.cost ?? 0), 0)
  return { made, spent, trained: { ...supposed, trained: { ...supposed.trained, ...models } } }
}

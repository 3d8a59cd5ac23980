import type { ApiClient } from '../../shared/core/client/api-client.ts'
import { ApiError } from '../../shared/core/client/api-error.ts'
import type { JsonObject } from '../../shared/core/contracts/json.ts'
import { builtinData } from '../../shared/environments/open-environments.ts'
import type { PaperColumn, PaperRecipe, PaperTraining } from '../../shared/insight/recipes/recipe.ts'
import { parseBase } from '../build-loop-request.ts'
import type { CheckedNeed } from './check-recipe.ts'
import { type PaperChoice, playedEnvironment, sweepName, tasksOf } from './paper-cells.ts'

// Training tasks of a loop in practice: fewer seldom give pairs or revisions.
const practiceTasks = 8

export interface PlannedTraining {
  environment: string
  training: PaperTraining
  // As `POST /v1/loops` takes it.
  request: JsonObject
  // The tasks of an expert run that practice plays first; null: the request has its experts.
  expertTasks: JsonObject | null
}

// A loop for each environment whose rows use a model that the recipe trains and no `--use` gives.
export function plannedTrainings(recipe: PaperRecipe, choice: PaperChoice): PlannedTraining[] {
  const { base, table: only, uses } = choice
  const { training } = recipe
  if (training === undefined || base === null) return []
  if (Object.keys(training.models).every((key) => uses[key] !== undefined)) return []
  const columns = recipe.tables.flatMap((table, at) =>
    only === null || only === at + 1 ? table.columns : [],
  )
  const places = Map.groupBy(columns, (column) => playedEnvironment(recipe, choice, column))
  return [...places].map(([environment, own]) => {
    const tasks = { train: trainTasks(choice), test: testTasks(choice, own) }
    const file = choice.loops[environment] ?? {}
    const request = requestOf({ recipe, choice, training, base, environment, tasks, file })
    const isPractised = choice.practice !== null && training.needsExperts && request.experts === undefined
    return { environment, training, request, expertTasks: isPractised ? tasks.train : null }
  })
}

function trainTasks({ practice }: PaperChoice): JsonObject {
  return { split: 'train', ...(practice !== null && { limit: practiceTasks }) }
}

// The tasks of the environment's last column, which the papers hold out furthest.
function testTasks(choice: PaperChoice, columns: readonly PaperColumn[]): JsonObject {
  const { tasks } = tasksOf(columns.at(-1) as PaperColumn, choice)
  return (tasks as JsonObject | undefined) ?? { split: 'test' }
}

function requestOf({
  recipe,
  choice,
  training,
  base,
  environment,
  tasks,
  file,
}: {
  recipe: PaperRecipe
  choice: PaperChoice
  training: PaperTraining
  base: string
  environment: string
  tasks: JsonObject
  file: JsonObject
}): JsonObject {
  const { model, practice } = choice
  const parsed = parseBase(base)
  // A registered model answers for itself, and a warm start trains the base before it plays.
  const plays = !('registered' in parsed) && !training.needsExperts && model !== null
  return {
    name: `${sweepName(recipe, choice)} · ${environment}`,
    patience: null,
    ...(practice !== null && { data: builtinData }),
    ...(plays && { policy: { ...model } }),
    ...file,
    recipe: training.loop,
    environment,
    base: parsed,
    tasks: { ...tasks, ...(file.tasks as JsonObject | undefined) },
    settings: { ...(practice !== null && { rounds: 1 }), ...(file.settings as JsonObject | undefined) },
  }
}

// Asks the service for the plan of each loop: it refuses those that lack data, experts or a fitting trainer.
// @returns a need for each; `ok` is false for a loop that cannot begin
export async function checkTrainings(
  client: Pick<ApiClient, 'planLoop'>,
  planned: readonly PlannedTraining[],
): Promise<CheckedNeed[]> {
  const checked: CheckedNeed[] = []
  for (const { environment, expertTasks, request, training } of planned) {
    const need = `training in ${environment}`
    const states = `espalier loop ${training.loop}${training.needsExperts ? ' with the trajectories of an expert' : ''}, by an installed trainer or a service that fine-tunes`
    try {
      const asked = expertTasks === null ? request : { ...request, experts: ['played-first'] }
      const { missing, stages, tasks } = await client.planLoop(asked)
      const trainings = stages.filter(({ kind }) => kind === 'train').length
      const here = `${trainings} trainings over ${tasks.train} training tasks, by the trainer ${trainerOf(request)}${expertTasks === null ? '' : ', after an expert run of --model'}`
      checked.push({ need, states, ok: missing.length === 0, here: missing[0] ?? here })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      checked.push({ need, states, ok: false, here: adviceOn(error.message, environment) })
    }
  }
  return checked
}

const trainerOf = ({ trainer }: JsonObject) => (typeof trainer === 'string' ? trainer : 'local')

function adviceOn(message: string, environment: string): string {
  return `${message} Fields of the loop come from --loop ${environment}=FILE.`
}

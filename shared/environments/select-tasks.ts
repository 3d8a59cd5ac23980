import { EspalierError } from '../core/contracts/errors.ts'
import type { TaskSelection } from '../core/contracts/run.ts'
import { didYouMean, unknownName } from '../core/contracts/validation/nearest-name.ts'
import type { EnvironmentFacts, EnvironmentTask } from './environment.ts'
import { tasksById } from './generate/find-task.ts'
import { generateSettled, settleGeneration } from './generate/settle-generation.ts'

type Selectable = Pick<EnvironmentFacts, 'id' | 'tasks' | 'generators'>

/**
 * A selection as a run records it: generated tasks with their generator, its version and every bound. Without a split
 * and ids, it is the split `test`.
 * @throws EspalierError `invalid_request` or `unknown_field` for tasks that cannot be generated
 */
export function settleSelection(environment: Selectable, selection: TaskSelection): TaskSelection {
  const { generate, ids, split } = selection
  if (generate === undefined) {
    return ids === undefined && split === undefined ? { split: 'test', ...selection } : selection
  }
  const other = split !== undefined ? 'split' : ids !== undefined ? 'ids' : null
  if (other === null) return { ...selection, generate: settleGeneration(environment, generate) }
  throw new EspalierError(
    'invalid_request',
    `tasks.generate makes the tasks, so tasks.${other} has to be left out${other === 'split' ? '; the split of generated tasks is tasks.generate.split' : ''}.`,
    { param: `tasks.${other}` },
  )
}

/**
 * The tasks of a settled selection: as {@link selectTasks}, or generated ones.
 * @throws EspalierError `invalid_request` if there are too few tasks to generate, with their number
 */
export async function resolveTasks(
  environment: Selectable,
  { generate, ...selection }: TaskSelection,
): Promise<EnvironmentTask[]> {
  if (generate === undefined) return selectTasks(environment, selection)
  const generated = await generateSettled(environment, generate)
  return selectTasks({ id: environment.id, tasks: () => generated }, selection)
}

/**
 * Selects tasks, in the environment's order, or in the order of `ids` if present. The fields narrow each other in
 * this order: `ids`, `split`, `range` (positions in the tasks left by then, so within the split if there is one),
 * `types`, `limit`.
 * @example
 * selectTasks(maze, { split: 'test', types: ['depth-2'], limit: 20 })
 * @throws EspalierError `unknown_task` for a name that does not exist, and for a selection that leaves no task;
 * `invalid_request` for one with a task that lacks a requirement
 */
export function selectTasks(
  environment: Selectable,
  selection: Omit<TaskSelection, 'generate'>,
): EnvironmentTask[] {
  const { ids, split, range, types, limit } = selection
  const all = environment.tasks()
  if (all.length === 0 && ids === undefined) throw unknown(`${environment.id} has no tasks here.`, 'tasks')
  let selected = ids === undefined ? [...all] : findTasks(environment, all, ids)
  const splits = valuesOf([...all, ...selected], 'split')
  if (split !== undefined && !splits.includes(split)) {
    throw unknown(unknownName(`${environment.id} has no split`, split, splits), 'tasks.split')
  }
  const knownTypes = valuesOf([...all, ...selected], 'type').sort()
  const wrongType = types?.find((type) => !knownTypes.includes(type))
  if (wrongType !== undefined) {
    throw unknown(unknownName(`${environment.id} has no tasks of type`, wrongType, knownTypes), 'tasks.types')
  }
  if (split !== undefined) selected = selected.filter((task) => task.split === split)
  const available = selected.length
  if (range !== undefined) selected = selected.slice(...range)
  if (types !== undefined) selected = selected.filter(({ type }) => types.includes(type))
  if (limit !== undefined) selected = selected.slice(0, limit)
  const lacking = selected.find(({ lacks = [] }) => lacks.length > 0)
  if (lacking !== undefined)
    throw refuseLacking(environment, selected, lacking, ids === undefined ? 'split' : 'ids')
  if (selected.length > 0) return selected
  throw unknown(
    `The selection leaves no task of ${environment.id}${range === undefined ? '' : ` (its range counts positions from 0 to ${available})`}. Widen it.`,
    range === undefined ? 'tasks' : 'tasks.range',
  )
}

function refuseLacking(
  { id }: Selectable,
  selected: EnvironmentTask[],
  first: EnvironmentTask,
  by: 'ids' | 'split',
): EspalierError {
  const count = selected.filter(({ lacks = [] }) => lacks.length > 0).length
  const all = count === 1 ? '' : ` So it is with ${count} of the ${selected.length} tasks of the selection.`
  return new EspalierError(
    'invalid_request',
    `The task ${first.id} of ${id} cannot be played here: it needs ${(first.lacks ?? []).join(', ')}.${all} Choose other tasks: those of the split "test" can be played.`,
    { param: `tasks.${by}` },
  )
}

function findTasks(
  environment: Selectable,
  all: readonly EnvironmentTask[],
  ids: readonly string[],
): EnvironmentTask[] {
  const byId = tasksById(environment)
  return [...new Set(ids)].map((id) => {
    const task = byId.get(id)
    if (task) return task
    const examples = all.slice(0, 3).map((known) => known.id)
    throw unknown(
      `${environment.id} has no task "${id}".${didYouMean(
        id,
        all.map((known) => known.id),
      )} Its tasks are such as ${examples.join(', ')}; list its tasks to see them all.`,
      'tasks.ids',
    )
  })
}

function valuesOf(tasks: readonly EnvironmentTask[], field: 'split' | 'type'): string[] {
  return [...new Set(tasks.map((task) => task[field]))]
}

function unknown(message: string, param: string): EspalierError {
  return new EspalierError('unknown_task', message, { param })
}

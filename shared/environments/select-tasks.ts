import { EspalierError } from '../contracts/errors.ts'
import type { TaskSelection } from '../contracts/run.ts'
import type { EnvironmentFacts, EnvironmentTask } from './environment.ts'

/**
 * The tasks that a selection names, in the environment's order, or in the order of `ids` where they are given. The parts
 * of a selection narrow each other, in this order: `ids`, `split`, `range` (positions in what is left by then, so in the
 * split where one is given), `types`, `limit`.
 *
 * @example
 * selectTasks(textcraft, { split: 'test', types: ['depth-2'], limit: 20 })
 * @throws EspalierError `unknown_task` for a name that does not exist, and for a selection that leaves no task.
 */
export function selectTasks(
  environment: Pick<EnvironmentFacts, 'id' | 'tasks'>,
  selection: TaskSelection,
): EnvironmentTask[] {
  const { ids, split, range, types, limit } = selection
  const all = environment.tasks()
  const splits = valuesOf(all, 'split')
  if (split !== undefined && !splits.includes(split)) {
    throw unknown(
      `${environment.id} has no split "${split}". Choose one of: ${splits.join(', ')}.`,
      'tasks.split',
    )
  }
  const knownTypes = valuesOf(all, 'type').sort()
  const wrongType = types?.find((type) => !knownTypes.includes(type))
  if (wrongType !== undefined) {
    throw unknown(
      `${environment.id} has no tasks of type "${wrongType}". Choose from: ${knownTypes.join(', ')}.`,
      'tasks.types',
    )
  }
  let selected = ids === undefined ? [...all] : findTasks(environment, all, ids)
  if (split !== undefined) selected = selected.filter((task) => task.split === split)
  const available = selected.length
  if (range !== undefined) selected = selected.slice(...range)
  if (types !== undefined) selected = selected.filter(({ type }) => types.includes(type))
  if (limit !== undefined) selected = selected.slice(0, limit)
  if (selected.length > 0) return selected
  throw unknown(
    `The selection leaves no task of ${environment.id}${range === undefined ? '' : ` (its range counts positions from 0 to ${available})`}. Widen it.`,
    range === undefined ? 'tasks' : 'tasks.range',
  )
}

function findTasks(
  environment: Pick<EnvironmentFacts, 'id' | 'tasks'>,
  all: readonly EnvironmentTask[],
  ids: readonly string[],
): EnvironmentTask[] {
  const byId = new Map(all.map((task) => [task.id, task]))
  return [...new Set(ids)].map((id) => {
    const task = byId.get(id)
    if (task) return task
    const examples = all.slice(0, 3).map((known) => known.id)
    throw unknown(
      `${environment.id} has no task "${id}". Its tasks are such as ${examples.join(', ')}; GET /v1/environments/${environment.id}/tasks lists them all.`,
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

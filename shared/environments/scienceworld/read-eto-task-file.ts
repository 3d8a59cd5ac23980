import { EspalierError } from '../../core/contracts/errors.ts'
import { itemNumbers } from '../item-numbers.ts'
import { gameCount, gameNumbered } from './game-numbers.ts'
import { taskTypes } from './task-types.ts'
import { variationCounts } from './tasks.ts'

/**
 * Reads the ids of the tasks in a task file of ETO (Song et al. 2024): pairs of a task and the number of a variation,
 * in the file's order. A task is named by its name in the paper (`task-1-boil`), by its number there,
 * or by the simulator's name (`boil`).
 * @example
 * readEtoTasks([['task-1-boil', 21], [14, 225]]) // ['boil/21', 'find-plant/225']
 * @throws EspalierError `invalid_request` that names the entry
 */
export function readEtoTasks(entries: readonly unknown[]): string[] {
  return entries.map(toId)
}

/**
 * Reads the ids of the tasks in a list of AgentGym or Agent-R, whose items number the games of 23 types.
 * @example
 * readAgentgymTasks([{ item_id: 'sciworld_33' }]) // ['melt/3']
 * @returns null: no such list
 * @throws EspalierError `invalid_request` for a number without a game
 */
export function readAgentgymTasks(entries: readonly unknown[]): string[] | null {
  return (
    itemNumbers(entries, 'sciworld')?.map((number) => {
      const id = gameNumbered(number)
      if (id === null) throw wrong(`there is no game ${number}: they are numbered from 0 to ${gameCount - 1}`)
      return id
    }) ?? null
  )
}

function toId(entry: unknown, index: number): string {
  const [task, variation] = Array.isArray(entry) && entry.length === 2 ? (entry as unknown[]) : []
  const type = typeOf(task)
  if (type === undefined)
    throw wrong(`entry ${index} names no task of ScienceWorld: ${JSON.stringify(entry)}`)
  const count = variationCounts[type] ?? 0
  if (typeof variation === 'number' && Number.isInteger(variation) && variation >= 0 && variation < count) {
    return `${type}/${variation}`
  }
  throw wrong(
    `entry ${index} must name a variation of ${type} from 0 to ${count - 1}: ${JSON.stringify(entry)}`,
  )
}

function typeOf(task: unknown): string | undefined {
  const types = Object.keys(taskTypes)
  if (typeof task === 'number') return types[task]
  return types.find((type) => task === type || task === taskTypes[type]?.eto)
}

function wrong(why: string): EspalierError {
  return new EspalierError('invalid_request', `The task file cannot be read: ${why}.`, {
    param: 'tasks.file',
  })
}

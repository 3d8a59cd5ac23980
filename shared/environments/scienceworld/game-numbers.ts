import { taskTypes } from './task-types.ts'
import { variationCounts } from './tasks.ts'

/**
 * The types in the order in which AgentGym numbers its games, each with all of its variations. It omits long tasks of
 * biology and mechanics.
 */
export const agentgymOrder: readonly string[] = [
  'boil',
  'melt',
  'freeze',
  'change-the-state-of-matter-of',
  'use-thermometer',
  'measure-melting-point-known-substance',
  'measure-melting-point-unknown-substance',
  'power-component',
  'power-component-renewable-vs-nonrenewable-energy',
  'test-conductivity',
  'test-conductivity-of-unknown-substances',
  'find-living-thing',
  'find-non-living-thing',
  'find-plant',
  'find-animal',
  'chemistry-mix',
  'chemistry-mix-paint-secondary-color',
  'chemistry-mix-paint-tertiary-color',
  'lifespan-longest-lived',
  'lifespan-shortest-lived',
  'lifespan-longest-lived-then-shortest-lived',
  'identify-life-stages-1',
  'identify-life-stages-2',
]

const countOf = (type: string): number => variationCounts[type] ?? 0

export const gameCount = agentgymOrder.reduce((sum, type) => sum + countOf(type), 0)

/**
 * The task that AgentGym's server and Agent-R's files number so, over all variations of 23 types. Null: no such game.
 * @example
 * gameNumbered(33) // 'melt/3'
 */
export function gameNumbered(number: number): string | null {
  let first = 0
  for (const type of agentgymOrder) {
    if (number < first + countOf(type)) return `${type}/${number - first}`
    first += countOf(type)
  }
  return null
}

// Null: a type that AgentGym leaves out.
export function gameNumber(id: string): number | null {
  const [type = '', variation = ''] = id.split('/')
  const place = agentgymOrder.indexOf(type)
  if (place < 0 || !/^\d+$/.test(variation)) return null
  return agentgymOrder.slice(0, place).reduce((sum, each) => sum + countOf(each), Number(variation))
}

// ETO's rows name a task by the number of its type and its variation, such as `14_225`. Null: no such id.
export function etoGame(id: string): string | null {
  const [, type = '', variation = ''] = /^(\d{1,2})_(\d{1,4})$/.exec(id) ?? []
  const name = type === '' ? undefined : Object.keys(taskTypes)[Number(type)]
  return name === undefined ? null : `${name}/${Number(variation)}`
}

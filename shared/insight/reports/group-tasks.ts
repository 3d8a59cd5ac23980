import type { GroupReport } from '../../core/contracts/report.ts'
import type { TaskLevel } from '../../core/contracts/task-level.ts'
import type { IntervalMethod } from './bootstrap.ts'
import { describeTasks } from './describe-tasks.ts'
import type { TaskTally } from './task-tally.ts'

export interface TaskFacts {
  type: string
  min_steps?: number
  level?: TaskLevel
}

export type TaskFactsById = Pick<ReadonlyMap<string, TaskFacts>, 'get'>

export type TasksOf = (environment: string, data: string | undefined) => Promise<TaskFactsById | null>

export function groupByType(
  tasks: readonly TaskTally[],
  facts: TaskFactsById,
  interval: IntervalMethod,
): GroupReport[] {
  return [...groupBy(tasks, ({ task }) => facts.get(task)?.type)]
    .toSorted(([left], [right]) => left.localeCompare(right, 'en', { numeric: true }))
    .map(([name, members]) => describeGroup(name, members, interval))
}

export function groupByDifficulty(
  tasks: readonly TaskTally[],
  facts: TaskFactsById,
  interval: IntervalMethod,
): GroupReport[] {
  const bandOf = ({ task }: TaskTally) => {
    const least = facts.get(task)?.min_steps
    return least === undefined ? undefined : Math.ceil(Math.log2(Math.max(1, least)))
  }
  return [...groupBy(tasks, bandOf)]
    .toSorted(([left], [right]) => left - right)
    .map(([band, members]) => describeGroup(nameBand(band), members, interval))
}

export function groupByLevel(
  tasks: readonly TaskTally[],
  facts: TaskFactsById,
  interval: IntervalMethod,
): GroupReport[] {
  return [...groupBy(tasks, ({ task }) => facts.get(task)?.level)]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([level, members]) => describeGroup(level, members, interval))
}

function groupBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key | undefined,
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    if (key === undefined) continue
    const members = groups.get(key)
    if (members) members.push(item)
    else groups.set(key, [item])
  }
  return groups
}

function nameBand(band: number): string {
  const most = 2 ** band
  if (band === 0) return 'up to 1 step'
  return band === 1 ? '2 steps' : `${most / 2 + 1}–${most} steps`
}

function describeGroup(name: string, tasks: TaskTally[], interval: IntervalMethod): GroupReport {
  const episodes = tasks.reduce((sum, task) => sum + task.episodes, 0)
  return { name, tasks: tasks.length, episodes, ...describeTasks(tasks, interval) }
}

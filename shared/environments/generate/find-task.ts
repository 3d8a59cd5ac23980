import type { EnvironmentFacts, EnvironmentTask } from '../environment.ts'
import { findGenerated } from './task-generator.ts'

export interface TaskLookup {
  get(id: string): EnvironmentTask | undefined
}

const mostKept = 100_000

const lookups = new WeakMap<readonly EnvironmentTask[], TaskLookup>()

export function tasksById(environment: Pick<EnvironmentFacts, 'tasks' | 'generators'>): TaskLookup {
  const tasks = environment.tasks()
  const known = lookups.get(tasks)
  if (known !== undefined) return known
  const own = new Map(tasks.map((task) => [task.id, task]))
  const generated = new Map<string, EnvironmentTask>()
  const { generators = [] } = environment
  const lookup: TaskLookup = {
    get(id) {
      const found = own.get(id) ?? generated.get(id)
      if (found !== undefined) return found
      const made = findGenerated(generators, id)?.task
      if (made === undefined) return undefined
      if (generated.size >= mostKept) generated.clear()
      generated.set(id, made)
      return made
    },
  }
  lookups.set(tasks, lookup)
  return lookup
}

import { EspalierError } from '../../shared/contracts/errors.ts'
import type { EnvironmentTask } from '../../shared/environments/environment.ts'
import { builtinData, type Environments } from '../../shared/environments/open-environments.ts'
import type { TasksOf } from '../../shared/reports/group-tasks.ts'

/** The tasks of environments by their ids, for reports; null where an environment can no longer be opened over its data. */
export function taskFactsOf(environments: Environments): TasksOf {
  const known = new WeakMap<object, ReadonlyMap<string, EnvironmentTask>>()
  return async (id, data) => {
    const environment = await open(environments, id, data)
    if (environment === null) return null
    const found = known.get(environment) ?? new Map(environment.tasks().map((task) => [task.id, task]))
    known.set(environment, found)
    return found
  }
}

/** A pack may have been removed since the run, and a server be down: what the run came to is known all the same. */
async function open(environments: Environments, id: string, data: string | undefined) {
  try {
    return (await environments.open(id, data ?? builtinData)).environment
  } catch (error) {
    if (!EspalierError.isInstance(error) || ['internal', 'storage_failed'].includes(error.code)) throw error
    return null
  }
}

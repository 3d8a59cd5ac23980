import { EspalierError } from '../../shared/contracts/errors.ts'
import type { SplitsOf } from '../../shared/datasets/splits-of.ts'
import type { EnvironmentTask } from '../../shared/environments/environment.ts'
import { builtinData, type Environments } from '../../shared/environments/open-environments.ts'

/** The tasks of environments by their ids, for datasets; null where an environment can no longer be opened over its data. */
export function taskSplitsOf(environments: Pick<Environments, 'open'>): SplitsOf {
  const known = new WeakMap<object, ReadonlyMap<string, EnvironmentTask>>()
  return async (id, data) => {
    try {
      const { environment } = await environments.open(id, data ?? builtinData)
      const found = known.get(environment) ?? new Map(environment.tasks().map((task) => [task.id, task]))
      known.set(environment, found)
      return found
    } catch (error) {
      // A pack may have been removed since the run, and a server be down. That storage fails is no such thing.
      if (!EspalierError.isInstance(error) || ['internal', 'storage_failed'].includes(error.code)) throw error
      return null
    }
  }
}

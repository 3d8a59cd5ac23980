import { EspalierError } from '../../shared/contracts/errors.ts'
import { builtinData, type Environments } from '../../shared/environments/open-environments.ts'
import type { DataOf } from '../../shared/trajectories/open-trajectories.ts'

/** The data that imported tasks are of, named as runs name theirs: the data that a run would play, unless one is given. */
export function dataOf(environments: Pick<Environments, 'open'>): DataOf {
  return async (id, data) => {
    try {
      const { definition, pack } = await environments.open(id, data)
      return definition.pack === undefined ? null : (pack?.digest ?? builtinData)
    } catch (error) {
      // Trajectories may be of environments that this service does not have.
      if (EspalierError.isInstance(error) && error.code === 'unknown_environment') return data ?? null
      throw error
    }
  }
}

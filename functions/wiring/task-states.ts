import { EspalierError } from '../../shared/contracts/errors.ts'
import { isHosted } from '../../shared/environments/environment.ts'
import { hashState } from '../../shared/environments/hash-state.ts'
import { openCore } from '../../shared/environments/open-core.ts'
import { builtinData, type Environments } from '../../shared/environments/open-environments.ts'
import type { StatesOf } from '../../shared/inspection/task-states.ts'

/** The states of tasks whose environment can be played here; otherwise why there are none. */
export function taskStatesOf(environments: Pick<Environments, 'open'>): StatesOf {
  return async ({ environment: id, environment_options: options, data, task, seed }) => {
    try {
      const { environment } = await environments.open(id, data ?? builtinData, options)
      if (isHosted(environment)) return { why: `${id} runs elsewhere, and its states stay there.` }
      const core = await openCore(environment, task, 'inspection')
      return {
        reset: async () => (await core.reset(seed)).state,
        step: async (state, action) => (await core.step(state, action)).state,
        hash: hashState,
      }
    } catch (error) {
      // A pack may have been removed since the run, and an environment with it. That storage fails is no such thing.
      if (!EspalierError.isInstance(error) || ['internal', 'storage_failed'].includes(error.code)) throw error
      return { why: `The task cannot be opened any more: ${error.message}` }
    }
  }
}

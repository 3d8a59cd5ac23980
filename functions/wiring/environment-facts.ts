import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { RunRequest } from '../../shared/core/contracts/run.ts'
import type { SplitsOf } from '../../shared/data/datasets/splits-of.ts'
import type { DataOf } from '../../shared/data/trajectories/store-body.ts'
import { type Environment, isHosted } from '../../shared/environments/environment.ts'
import { tasksById } from '../../shared/environments/generate/find-task.ts'
import { hashState } from '../../shared/environments/hash-state.ts'
import { fleetChangesOf, fleetLimitsSchema } from '../../shared/environments/hosts/fleet-limits.ts'
import { findImage } from '../../shared/environments/images.ts'
import { openCore } from '../../shared/environments/open-core.ts'
import { builtinData, type Environments } from '../../shared/environments/open-environments.ts'
import type { StatesOf } from '../../shared/insight/inspection/task-states.ts'
import type { TasksOf } from '../../shared/insight/reports/group-tasks.ts'
import type { AbilityWeightsOf } from '../../shared/insight/reports/leaderboard/abilities.ts'
import type { HostWork } from '../../shared/play/methods/forecast/host-hours.ts'
import { pureImage } from './sessions-of.ts'

export function taskFactsOf(environments: Environments): TasksOf {
  return async (id, data) => {
    const opened = await openWhole(environments, id, data)
    return opened && tasksById(opened.environment)
  }
}

export function abilitiesOf(environments: Environments): AbilityWeightsOf {
  return async (id, data) => (await openWhole(environments, id, data))?.definition.abilities ?? null
}

/** Returns null on failure: a pack may be removed or a server down, and the run's results remain valid. */
async function openWhole(environments: Environments, id: string, data: string | undefined) {
  try {
    return await environments.open(id, data ?? builtinData)
  } catch (error) {
    if (!EspalierError.isInstance(error) || ['internal', 'storage_failed'].includes(error.code)) throw error
    return null
  }
}

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
      // A pack and its environment may be removed since the run. A storage failure is a different error.
      if (!EspalierError.isInstance(error) || ['internal', 'storage_failed'].includes(error.code)) throw error
      return { why: `The task cannot be opened any more: ${error.message}` }
    }
  }
}

export function taskSplitsOf(environments: Pick<Environments, 'open'>): SplitsOf {
  return async (id, data) => {
    try {
      return tasksById((await environments.open(id, data ?? builtinData)).environment)
    } catch (error) {
      // A pack may be removed since the run, or a server be down. A storage failure is a different error.
      if (!EspalierError.isInstance(error) || ['internal', 'storage_failed'].includes(error.code)) throw error
      return null
    }
  }
}

/** Names the data of imported tasks as runs do: the data that a run would use, unless the import names one. */
export function dataOf(environments: Pick<Environments, 'open'>): DataOf {
  return async (id, data) => {
    try {
      const { definition, pack } = await environments.open(id, data)
      return definition.pack === undefined ? null : (pack?.digest ?? builtinData)
    } catch (error) {
      // Trajectories may come from environments that this service does not have.
      if (EspalierError.isInstance(error) && error.code === 'unknown_environment') return data ?? null
      throw error
    }
  }
}

export function slotsOf(environment: Environment, hosting: RunRequest['hosting']): HostWork['slots'] {
  if (!isHosted(environment)) return hosting === 'host' ? slotsOfImage(pureImage) : 'worker'
  const { host } = environment
  return host.kind === 'image' ? slotsOfImage(host.image) : 'elsewhere'
}

function slotsOfImage(image: string): number {
  return fleetLimitsSchema.parse(fleetChangesOf(findImage(image) ?? {})).slots
}

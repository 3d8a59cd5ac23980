import type { HostCaller } from '../../shared/core/contracts/host-call.ts'
import type { World } from '../../shared/core/world/ports.ts'
import { openDataPacks } from '../../shared/environments/data-packs/open-data-packs.ts'
import type { EnvironmentDefinition } from '../../shared/environments/environment-definition.ts'
import { definitions } from '../../shared/environments/environments.ts'
import type { CallScaler } from '../../shared/environments/hosts/fleet-call.ts'
import {
  type Environments,
  type OpenEnvironment,
  openEnvironments,
} from '../../shared/environments/open-environments.ts'
import type { SessionSource } from '../../shared/environments/session-source.ts'
import { sessionsOf } from './sessions-of.ts'

export interface EnvironmentServices {
  environments: Environments
  sessions(opened: OpenEnvironment): SessionSource
}

/**
 * @param options.hosts the way to hosts
 * @param options.callScaler calls the fleets' scaler, if it does not poll on its own
 * @param options.added environments that an administrator added to the included ones
 * @param options.later environments added since this process started
 */
export function openEnvironmentServices({
  world,
  hosts,
  callScaler,
  added = [],
  later,
}: {
  world: World
  hosts: HostCaller
  callScaler?: CallScaler
  added?: readonly EnvironmentDefinition[]
  later?: () => Promise<readonly EnvironmentDefinition[]>
}): EnvironmentServices {
  return {
    environments: openEnvironments([...definitions, ...added], openDataPacks(world), later),
    sessions: sessionsOf({ world, hosts, ...(callScaler && { callScaler }) }),
  }
}

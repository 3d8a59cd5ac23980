import { join } from 'node:path'
import { openEnvironmentParts } from '../functions/wiring/open-environment-parts.ts'
import { type WiredService, wireService } from '../functions/wiring/wire-service.ts'
import type { EngineOptions } from '../shared/engine/open-engine.ts'
import { loadAddedEnvironments } from '../shared/environments/added/load-added-environments.ts'
import { DirectHostCaller } from '../shared/hosts/direct-host-caller.ts'
import type { Endpoints } from '../shared/models/load-endpoints.ts'
import { type ModelPool, openModels } from '../shared/models/model-pool.ts'
import { openSimulatedModels } from '../shared/simulated/open-simulated-models.ts'

export type PartsOptions = Pick<
  EngineOptions,
  'world' | 'code' | 'capacity' | 'worker' | 'duties' | 'hasPeers' | 'onAlone' | 'onError'
> & {
  folder: string
  endpoints: Endpoints
}

/** What every process of the embedded service is made of, be it one that serves, one that plays, or one that does both. */
export interface Parts extends WiredService {
  models: ModelPool
  /** The way to the hosts of this machine. */
  caller: DirectHostCaller
}

/** Puts the service together over the world of a data folder. Nothing is played yet. */
export async function wireParts({ folder, endpoints, ...options }: PartsOptions): Promise<Parts> {
  const { world } = options
  const added = await loadAddedEnvironments({ path: join(folder, 'environments.json') })
  const caller = new DirectHostCaller({ world, network: 'this-machine' })
  const models = openModels(endpoints, { simulated: openSimulatedModels, rates: world })
  const service = wireService({
    ...options,
    models,
    ...openEnvironmentParts({ world, hosts: caller, added }),
    // The supervisor sees its workers die: a machine that restarts, or a service that is killed as a whole, blames no episode.
    deaths: 'witnessed',
  })
  return { ...service, models, caller }
}

import { join } from 'node:path'
import { openEnvironmentServices } from '../functions/wiring/open-environment-services.ts'
import { type WiredService, wireService } from '../functions/wiring/wire-service.ts'
import type { EngineOptions } from '../shared/core/engine/open-engine.ts'
import { Placement, type PlacementRules } from '../shared/core/engine/placement/placement.ts'
import { openPictureSource } from '../shared/core/pictures/picture-source.ts'
import { watchEnvironmentsFile } from '../shared/environments/added/watch-environments-file.ts'
import { DirectHostCaller } from '../shared/environments/hosts/direct-host-caller.ts'
import { bridgedEnvironments } from '../shared/environments/in-process/bridged-environments.ts'
import type { Environments } from '../shared/environments/open-environments.ts'
import { PlaySessions } from '../shared/environments/playing/play-sessions.ts'
import { openRuntimes } from '../shared/environments/runtimes/image-runtimes.ts'
import type { TranscriptIndex } from '../shared/insight/transcripts/transcript-index.ts'
import { ServedCalls } from '../shared/learn/serving/served-calls.ts'
import type { LaunchingDriver, ServerDrivers } from '../shared/learn/serving/server-driver.ts'
import type { TrainingOptions } from '../shared/learn/trainings/open-trainings.ts'
import { loadAddedMethods, versionsOf } from '../shared/play/methods/added/load-added-methods.ts'
import type { MethodFiles } from '../shared/play/methods/added/methods-file.ts'
import { openMethods } from '../shared/play/methods/methods.ts'
import { bridgedMethods } from '../shared/play/methods/program/bridged-methods.ts'
import { openEndpointDirectory } from '../shared/play/models/endpoint-directory.ts'
import type { Endpoints } from '../shared/play/models/load-endpoints.ts'
import { type ModelPool, openModels } from '../shared/play/models/model-pool.ts'
import { openSimulatedModels } from '../shared/play/simulated/open-simulated-models.ts'
import { describeMachine, type MachineOptions } from './describe-machine.ts'
import { openServers } from './open-servers.ts'
import { placementRules } from './placement-rules.ts'

export type LocalServiceOptions = Pick<
  EngineOptions,
  | 'world'
  | 'code'
  | 'capacity'
  | 'worker'
  | 'duties'
  | 'deaths'
  | 'hasPeers'
  | 'hiddenFor'
  | 'logs'
  | 'onAlone'
  | 'observer'
  | 'tend'
  | 'onError'
> & {
  folder: string
  endpoints: Endpoints
  methodFiles?: MethodFiles
  /**
   * The versions of added methods at the service's start. A method with another version is not played. @default any
   */
  methodVersions?: Readonly<Record<string, string>>
  training?: TrainingOptions
  transcripts?: TranscriptIndex
  processes?: number
  machine?: Pick<MachineOptions, 'kind' | 'labels'>
  moreDrivers?: readonly LaunchingDriver[]
}

export interface LocalService extends WiredService {
  environments: Environments
  placement: PlacementRules
  models: ModelPool
  caller: DirectHostCaller
  plays: PlaySessions
  methodVersions: Readonly<Record<string, string>>
  unavailableMethods: Readonly<Record<string, string>>
  drivers: ServerDrivers
}

function playsEpisodes(duties: EngineOptions['duties']): boolean {
  return duties === undefined || duties.some((duty) => duty !== 'dead_letters')
}

export async function wireLocalService({
  folder,
  endpoints,
  processes,
  methodFiles: more,
  methodVersions: versions,
  machine,
  moreDrivers,
  ...options
}: LocalServiceOptions): Promise<LocalService> {
  const { world, onError } = options
  const drivers = await openServers(join(folder, 'servers.json'), moreDrivers)
  const watched = await watchEnvironmentsFile(join(folder, 'environments.json'))
  const bridged = bridgedEnvironments(folder)
  const later = async () => [...(await watched.later()), ...(await bridged())]
  const methods = await loadAddedMethods({
    path: join(folder, 'methods.json'),
    ...(more && { more }),
    ...(versions && { versions }),
  })
  const caller = new DirectHostCaller({ world, network: 'this-machine' })
  const directory = openEndpointDirectory(world)
  const models = openModels(endpoints, {
    simulated: openSimulatedModels,
    rates: world,
    pictures: openPictureSource(world.objects),
    directory,
    servers: new ServedCalls({ ...world, onError: (error) => onError(error, 'noting that a model is used') }),
    ...(processes !== undefined && { processes }),
  })
  const environments = openEnvironmentServices({ world, hosts: caller, added: watched.added, later })
  const opened = openMethods(methods, bridgedMethods(folder))
  const added = async () => [...watched.added, ...(await watched.later())]
  const rules = placementRules({ ...environments, added, methods: opened, models })
  const described = machine && {
    ...{ ...machine, capacity: options.capacity ?? 1000, endpoints: endpoints.keys() },
    environments: watched.added.map(({ id }) => id),
    methods: methods.map(({ id }) => id),
  }
  const service = wireService({
    // The supervisor sees its workers die, so a machine's restart or the death of the whole service blames no
    // episode.
    deaths: 'witnessed',
    ...options,
    models,
    methods: opened,
    ...(described && playsEpisodes(options.duties) && { machine: describeMachine(described) }),
    // The service places the runs of joined workers.
    ...(machine && machine.kind !== 'joined' && { placement: new Placement(world, rules) }),
    drivers,
    missingRuntimes: openRuntimes(process.env),
    ...environments,
  })
  const unavailable = methods.flatMap(({ id, method }) =>
    'unavailable' in method ? [[id, method.unavailable] as const] : [],
  )
  return {
    ...service,
    environments: environments.environments,
    placement: rules,
    models,
    caller,
    drivers,
    plays: new PlaySessions({ ...environments, clock: world.clock }),
    methodVersions: versionsOf(methods),
    unavailableMethods: Object.fromEntries(unavailable),
  }
}

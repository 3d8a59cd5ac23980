import { join } from 'node:path'
import { openEnvironmentParts } from '../functions/wiring/open-environment-parts.ts'
import { type WiredService, wireService } from '../functions/wiring/wire-service.ts'
import type { EngineOptions } from '../shared/engine/open-engine.ts'
import { watchEnvironmentsFile } from '../shared/environments/added/watch-environments-file.ts'
import { DirectHostCaller } from '../shared/hosts/direct-host-caller.ts'
import { loadAddedMethods, versionsOf } from '../shared/methods/added/load-added-methods.ts'
import type { MethodFiles } from '../shared/methods/added/methods-file.ts'
import { openMethods } from '../shared/methods/methods.ts'
import { openEndpointDirectory } from '../shared/models/endpoint-directory.ts'
import type { Endpoints } from '../shared/models/load-endpoints.ts'
import { type ModelPool, openModels } from '../shared/models/model-pool.ts'
import { openPictureSource } from '../shared/pictures/picture-source.ts'
import { llamaCppDriver } from '../shared/serving/llama-cpp-driver.ts'
import { ServedCalls } from '../shared/serving/served-calls.ts'
import { commandDriver, serverDrivers, sglangDriver, vllmDriver } from '../shared/serving/server-driver.ts'
import { openSimulatedModels } from '../shared/simulated/open-simulated-models.ts'
import type { TrainingOptions } from '../shared/trainings/open-trainings.ts'
import type { TranscriptIndex } from '../shared/transcripts/transcript-index.ts'

export type PartsOptions = Pick<
  EngineOptions,
  'world' | 'code' | 'capacity' | 'worker' | 'duties' | 'hasPeers' | 'onAlone' | 'observer' | 'onError'
> & {
  folder: string
  endpoints: Endpoints
  /** Methods beside those of `methods.json`. @default none */
  methodFiles?: MethodFiles
  /** The versions of added methods that the service started with; a method that is another by now is not played. @default any */
  methodVersions?: Readonly<Record<string, string>>
  /** What trains, and where. @default nothing */
  training?: TrainingOptions
  /** Where transcripts are found, in the process that serves. @default objects of the world */
  transcripts?: TranscriptIndex
  /** How many processes ask endpoints that are added while the service runs, and share their `max_concurrency`. @default 1 */
  processes?: number
}

/** In the order in which they are chosen. */
export const localDrivers = serverDrivers([vllmDriver, sglangDriver, llamaCppDriver, commandDriver])

/** What every process of the embedded service is made of, be it one that serves, one that plays, or one that does both. */
export interface Parts extends WiredService {
  models: ModelPool
  /** The way to the hosts of this machine. */
  caller: DirectHostCaller
  /** Of the added methods, by id. */
  methodVersions: Readonly<Record<string, string>>
  /** Why an added method cannot be played, by id. */
  unavailableMethods: Readonly<Record<string, string>>
}

/** Puts the service together over the world of a data folder. Nothing is played yet. */
export async function wireParts({
  folder,
  endpoints,
  processes,
  methodFiles: more,
  methodVersions: versions,
  ...options
}: PartsOptions): Promise<Parts> {
  const { world, onError } = options
  const watched = await watchEnvironmentsFile(join(folder, 'environments.json'))
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
  const service = wireService({
    ...options,
    models,
    methods: openMethods(methods),
    drivers: localDrivers,
    ...openEnvironmentParts({ world, hosts: caller, ...watched }),
    // The supervisor sees its workers die: a machine that restarts, or a service that is killed as a whole, blames no episode.
    deaths: 'witnessed',
  })
  const unavailable = methods.flatMap(({ id, method }) =>
    'unavailable' in method ? [[id, method.unavailable] as const] : [],
  )
  return {
    ...service,
    models,
    caller,
    methodVersions: versionsOf(methods),
    unavailableMethods: Object.fromEntries(unavailable),
  }
}

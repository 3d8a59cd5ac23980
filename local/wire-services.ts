import { join } from 'node:path'
import type { ApiServices } from '../functions/api/api-services.ts'
import { errorFields, type Log } from '../functions/api/log.ts'
import { openEnvironmentParts } from '../functions/wiring/open-environment-parts.ts'
import { wireService } from '../functions/wiring/wire-service.ts'
import packageFile from '../package.json' with { type: 'json' }
import type { DatasetConsumer } from '../shared/datasets/dataset-consumer.ts'
import { listModules } from '../shared/environments/added/list-modules.ts'
import { loadAddedEnvironments } from '../shared/environments/added/load-added-environments.ts'
import { DirectHostCaller } from '../shared/hosts/direct-host-caller.ts'
import { type Endpoints, loadEndpoints } from '../shared/models/load-endpoints.ts'
import { openModels } from '../shared/models/model-pool.ts'
import { openLocalWorld } from '../shared/world/local/open-local-world.ts'
import { codeVersion } from './code-version.ts'
import type { FileRouteNeeds } from './file-route.ts'
import { hostImages } from './host-images.ts'
import { retireWorkers } from './retire-workers.ts'
import { scaleLocalFleets } from './scale-local-fleets.ts'
import { serveModules } from './serve-modules.ts'
import { type Sweeper, startSweeper } from './start-sweeper.ts'

export interface WiringOptions {
  folder: string
  endpoints?: Endpoints
  capacity: number
  log: Log
}

/** The parts of the embedded service, put together. */
export interface Wiring {
  services: ApiServices
  files: FileRouteNeeds
  /** Tells other processes where the service of this folder answers, and the word that it knows its holder by. */
  announce(address: string, word: string): Promise<void>
  /** Takes up what an earlier process left, and begins to work. */
  start(): Promise<void>
  /** Commits what is under way, cutting off calls that take longer than `grace` seconds, and releases the folder. */
  close(grace: number): Promise<void>
}

const sweepEvery = 5000
const scaleEvery = 500
/** Seconds. The queue lies beside the ledger and loses no message, so this is for the unforeseen. */
const lostAfter = 3600

/** Opens everything over the data folder. Nothing is played before `start`. */
export async function wireServices(options: WiringOptions): Promise<Wiring> {
  const { folder, capacity, log } = options
  const onError = (error: unknown, what: string) =>
    log({ level: 'error', event: 'service.failed', what, ...errorFields(error) })
  const endpoints =
    options.endpoints ??
    (await loadEndpoints({ path: join(folder, 'endpoints.json'), environment: process.env }))
  const environments = join(folder, 'environments.json')
  const added = await loadAddedEnvironments({ path: environments })
  const modules = await listModules(environments)
  const world = await openLocalWorld({ folder, images: hostImages })
  const hosts = new DirectHostCaller({ world, network: 'this-machine' })
  const fleetWorld = { ...world, hosts: serveModules(world.hosts, modules) }
  const models = openModels(endpoints, { rates: world })
  const { api, datasets, engine } = wireService({
    world,
    models,
    ...openEnvironmentParts({ world, hosts, added }),
    code: await codeVersion(packageFile.version),
    capacity,
    // A machine that restarts blames no episode.
    deaths: 'witnessed',
    onError,
  })
  let working: { consumer: DatasetConsumer; sweeper: Sweeper; fleets: Sweeper } | null = null

  return {
    services: api,
    files: world,
    announce: (address, word) => world.announce(address, word),
    async start() {
      await retireWorkers(world)
      await engine.sweep({ lostAfter })
      await engine.worker.start()
      working = {
        consumer: datasets.start({ onError: (error) => onError(error, 'building datasets') }),
        sweeper: startSweeper(() => engine.sweep({ lostAfter }), {
          every: sweepEvery,
          onError: (error) => onError(error, 'sweeping'),
        }),
        fleets: startSweeper(() => scaleLocalFleets({ world: fleetWorld, caller: hosts, log }), {
          every: scaleEvery,
          onError: (error) => onError(error, 'scaling the hosts'),
        }),
      }
    },
    async close(grace) {
      const fleets = working?.fleets.stop()
      const stops =
        working === null ? [] : [working.sweeper.stop(), working.consumer.stop(), engine.worker.stop(grace)]
      const stopped = await Promise.allSettled(stops)
      await models.close()
      await world.close()
      // A pass that waits for a host to start waits no longer once the world has ended it.
      await fleets
      const failed = stopped.filter((result) => result.status === 'rejected')
      if (failed.length > 0)
        throw new AggregateError(
          failed.map(({ reason }) => reason),
          'The service did not stop cleanly.',
        )
    },
  }
}

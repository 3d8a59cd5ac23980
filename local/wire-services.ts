import { join } from 'node:path'
import type { ApiServices, Health } from '../functions/api/api-services.ts'
import { errorFields, type Log } from '../functions/api/log.ts'
import { pureImage } from '../functions/wiring/sessions-of.ts'
import packageFile from '../package.json' with { type: 'json' }
import { codeVersion } from '../shared/core/engine/code-version.ts'
import { startJobConsumer } from '../shared/core/engine/jobs/start-job-consumer.ts'
import { allDuties } from '../shared/core/engine/worker.ts'
import { listWorkers, retireWorker } from '../shared/core/engine/workers.ts'
import { isDamage } from '../shared/core/world/damage-book.ts'
import { type LocalWorld, openLocalWorld } from '../shared/core/world/local/open-local-world.ts'
import type { FolderSums } from '../shared/core/world/local/open-stores.ts'
import type { Hosts, QueueName, World } from '../shared/core/world/ports.ts'
import type { QueueConsumer } from '../shared/core/world/queue-consumer.ts'
import {
  type ListedModules,
  listModules,
  moduleVariables,
} from '../shared/environments/added/list-modules.ts'
import { openTracing } from '../shared/insight/telemetry/open-tracing.ts'
import { SqliteIndex } from '../shared/insight/transcripts/sqlite-index.ts'
import { type ServerSupervisor, superviseServers } from '../shared/learn/serving/supervise-servers.ts'
import type { MethodFiles } from '../shared/play/methods/added/methods-file.ts'
import { type Endpoints, loadEndpoints } from '../shared/play/models/load-endpoints.ts'
import type { FileRouteNeeds } from './file-route.ts'
import { hostImages } from './host-images.ts'
import { openTrainers } from './open-trainers.ts'
import type { ReaderAssignment } from './readers/reader-messages.ts'
import { scaleLocalFleets } from './scale-local-fleets.ts'
import { type Sweeper, startSweeper } from './start-sweeper.ts'
import { wireLocalService } from './wire-local-service.ts'
import { coalesceRings } from './workers/coalesce-rings.ts'
import { divideCalls, memoryOfWorker } from './workers/divide.ts'
import { Supervisor } from './workers/supervisor.ts'
import type { WorkerLimits } from './workers/worker-process.ts'

export interface WiringOptions {
  folder: string
  endpoints?: Endpoints
  capacity: number
  workers?: number
  workerLimits?: WorkerLimits
  labels?: readonly string[]
  methodFiles?: MethodFiles
  /** True if only people of this machine reach the service: they may name its folders. @default true */
  isPrivate?: boolean
  log: Log
}

export interface Wiring {
  services: ApiServices
  files: FileRouteNeeds
  sums: FolderSums
  reading: Omit<ReaderAssignment, 'auth' | 'word'>
  onDamage(name: string): void
  announce(address: string, word: string): Promise<void>
  start(): Promise<void>
  close(grace: number): Promise<void>
}

const sweepEvery = 5000
const scaleEvery = 500
const probeEvery = 15_000
/** Seconds. The queue lies beside the ledger and loses no message, so this covers only unforeseen cases. */
const lostAfter = 3600

/**
 * Opens everything over the data folder. Nothing runs before `start`. With workers, this process serves, sweeps and
 * scales hosts, and the workers play.
 */
export async function wireServices(options: WiringOptions): Promise<Wiring> {
  const { folder, capacity, workers: count = 0, labels = [], methodFiles, log } = options
  const onError = (error: unknown, what: string) =>
    log({ level: 'error', event: 'service.failed', what, ...errorFields(error) })
  const endpoints =
    options.endpoints ??
    (await loadEndpoints({ path: join(folder, 'endpoints.json'), environment: process.env }))
  const modules = await listModules(join(folder, 'environments.json'))
  let supervisor: Supervisor | null = null
  const onRing = coalesceRings((queue: QueueName) => supervisor?.ring(queue))
  const world = await openLocalWorld({
    folder,
    images: hostImages,
    ...(count > 0 && { sharing: { onRing } }),
  })
  const fleetWorld = { ...world, hosts: serveModules(world.hosts, modules) }
  const code = codeVersion(packageFile.version)
  const duties = count > 0 ? (['dead_letters'] as const) : allDuties
  const training = await openTrainers({ folder, world, isPrivate: options.isPrivate ?? true })
  const tracing = await openTracing(process.env, packageFile.version, () => world.clock.now())
  const transcripts = new SqliteIndex(join(folder, 'transcripts.db'))
  const parts = await wireLocalService({
    folder,
    world,
    endpoints,
    code,
    capacity,
    duties,
    training,
    transcripts,
    machine: { kind: 'service', labels },
    ...(tracing && { observer: tracing.observer }),
    onError,
    ...(methodFiles && { methodFiles }),
  })
  const { api, datasets, engine, models, caller, methodVersions, plays, registry, trainings, loops } = parts
  /** A fault of one run must not keep the service from the others. */
  const sweep = () => engine.sweep({ lostAfter }).catch((error: unknown) => onError(error, 'sweeping'))
  for (const [method, reason] of Object.entries(parts.unavailableMethods))
    log({ level: 'warn', event: 'method.unavailable', method, reason })
  if (count > 0) {
    supervisor = new Supervisor({
      count,
      world,
      work: { folder, endpoints: divideCalls(endpoints, count), code, capacity, methodVersions, labels },
      limits: options.workerLimits ?? { memory: memoryOfWorker(count) },
      async onEnd(worker, { alone, evidence }) {
        if (alone !== null) await engine.blame(alone, { worker, evidence })
        await retireWorker(world, worker).catch((error) => {
          if (!isDamage(error)) throw error
          onError(error, 'ending the heartbeat of a worker')
        })
        await world.giveBack(worker)
        await sweep()
      },
      log,
    })
  }
  const supervised = supervisor
  let working: {
    consumer: QueueConsumer | null
    jobs: QueueConsumer
    sweeper: Sweeper
    fleets: Sweeper
    health: Sweeper
    servers: ServerSupervisor
  } | null = null

  const stateNow = () => ({
    ...workersOf(supervised),
    ...damageOf(world),
    ...(working !== null && { sessions: true as const }),
  })
  return {
    services: {
      ...api,
      // Their hosts start only while this service works.
      get plays() {
        return working === null ? undefined : plays
      },
      health: {
        now: () => ({ ...api.health.now(), ...stateNow() }),
        probe: async () => ({ ...(await api.health.probe()), ...stateNow() }),
      },
    },
    files: world,
    sums: world,
    reading: { folder, code, methodVersions, endpoints: [...endpoints] },
    onDamage: (name) => world.damage.add(name),
    announce: (address, word) => world.announce(address, word),
    async start() {
      await retireWorkers(world, (error) => onError(error, 'ending the heartbeats of earlier workers'))
      await sweep()
      await engine.worker.start()
      supervised?.start()
      working = {
        consumer:
          supervised === null
            ? datasets.start({ onError: (error) => onError(error, 'building datasets') })
            : null,
        jobs: startJobConsumer(world, { training: trainings.handler, loop: loops.handler }, (error) =>
          onError(error, 'looking at a training or a loop'),
        ),
        sweeper: startSweeper(() => engine.sweep({ lostAfter }), {
          every: sweepEvery,
          onError: (error) => onError(error, 'sweeping'),
        }),
        fleets: startSweeper(() => scaleLocalFleets({ world: fleetWorld, caller, log }), {
          every: scaleEvery,
          onError: (error) => onError(error, 'scaling the hosts'),
        }),
        health: startSweeper(async () => void (await api.health.probe()), {
          every: probeEvery,
          onError: (error) => onError(error, 'checking the storage'),
        }),
        servers: superviseServers({
          world,
          registry,
          drivers: parts.drivers,
          folder: join(folder, 'served'),
          onError,
        }),
      }
    },
    async close(grace) {
      await plays.close()
      const fleets = working?.fleets.stop()
      const stops =
        working === null
          ? []
          : [
              working.sweeper.stop(),
              working.health.stop(),
              working.consumer?.stop(),
              working.jobs.stop(),
              supervised?.stop(grace),
              engine.worker.stop(grace),
            ]
      const stopped = await Promise.allSettled(stops)
      await working?.servers.stop()
      await tracing?.close().catch((error) => onError(error, 'sending traces'))
      await training.close()
      await transcripts.close()
      await models.close()
      await world.close()
      // A pass that waits for a host to start stops waiting once the world has ended the host.
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

/**
 * Ends the heartbeats of workers left by an earlier process. The holder of the folder's lock knows that they are
 * dead, so their episodes resume without waiting for the heartbeats to expire.
 */
async function retireWorkers(
  world: Pick<World, 'ledger' | 'clock'>,
  onError: (error: unknown) => void,
): Promise<void> {
  const listed = await listWorkers(world).catch(onError)
  if (!listed) return
  for (const worker of [...listed.alive, ...listed.dead]) await retireWorker(world, worker).catch(onError)
}

function damageOf({ damage }: LocalWorld): Pick<Health, 'damaged'> {
  return damage.count === 0 ? {} : { damaged: damage.count }
}

function workersOf(supervisor: Supervisor | null): Pick<Health, 'workers'> {
  return supervisor === null ? {} : { workers: supervisor.workers }
}

function serveModules(hosts: Hosts, modules: ListedModules): Hosts {
  if (modules.files.length === 0) return hosts
  const served = moduleVariables(modules)
  return {
    launch: (request) =>
      hosts.launch(
        request.image === pureImage
          ? { ...request, environment: { ...request.environment, ...served } }
          : request,
      ),
    describe: (ids) => hosts.describe(ids),
    list: () => hosts.list(),
    stop: (id, options) => hosts.stop(id, options),
  }
}

import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { HealthServices } from '../../functions/api/api-services.ts'
import { createApp } from '../../functions/api/create-app.ts'
import { logToStderr } from '../../functions/api/log.ts'
import { servePages } from '../../functions/show-pages/serve-pages.ts'
import packageFile from '../../package.json' with { type: 'json' }
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { startJobConsumer } from '../../shared/core/engine/jobs/start-job-consumer.ts'
import { JoinGateway } from '../../shared/core/engine/joining/join-gateway.ts'
import { openJoinedPorts } from '../../shared/core/engine/joining/open-joined-ports.ts'
import { allDuties } from '../../shared/core/engine/worker.ts'
import { retireWorker } from '../../shared/core/engine/workers.ts'
import { type FolderLock, lockFolder } from '../../shared/core/world/local/folder-lock.ts'
import { removeServiceFile, writeServiceFile } from '../../shared/core/world/local/service-file.ts'
import type { QueueConsumer } from '../../shared/core/world/queue-consumer.ts'
import { type ServerSupervisor, superviseServers } from '../../shared/learn/serving/supervise-servers.ts'
import { loadEndpoints } from '../../shared/play/models/load-endpoints.ts'
import { addFileRoute } from '../file-route.ts'
import { type Listening, listen } from '../listen.ts'
import { localPrincipal, newFolderWord } from '../local-principal.ts'
import { builtPages, openToOthers, type Service, type ServiceOptions } from '../open-service.ts'
import { openTrainers } from '../open-trainers.ts'
import { isLoopback } from '../refuse-strangers.ts'
import { scaleLocalFleets } from '../scale-local-fleets.ts'
import { type Sweeper, startSweeper } from '../start-sweeper.ts'
import { divideCalls } from '../workers/divide.ts'
import { addHostRoute, addJoinRoute, addServedRoutes } from './join-route.ts'
import { type Cluster, type ClusterOptions, openCluster } from './open-cluster.ts'
import { WorkerProcesses } from './worker-processes.ts'

export type ClusterServiceOptions = Omit<ServiceOptions, 'workerLimits' | 'work'> &
  Pick<ClusterOptions, 'world' | 'objects'>

const sweepEvery = 5000
const scaleEvery = 500
const probeEvery = 15_000
const tidyEvery = 600_000
/** Seconds after which a message counts as lost: longer than one stays hidden. */
const lostAfter = 3600
const keyedStream = 60_000

/**
 * Opens the service of a world that several machines share: the API, the sweeper, hosts and workers of this machine.
 * @throws EspalierError as `openService`; `storage_failed` if the database or the objects cannot be used
 */
export async function openClusterService(options: ClusterServiceOptions): Promise<Service> {
  const { folder, port, host = '127.0.0.1', capacity = 1000, workers = 0, log = logToStderr } = options
  const auth = options.auth ?? (isLoopback(host) ? 'none' : 'keys')
  if (auth === 'none' && !isLoopback(host)) throw openToOthers(host)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const lock = takeFolder(folder)
  const word = newFolderWord()
  const closing = new AbortController()
  let cluster: Cluster | null = null
  let listening: Listening | null = null
  let processes: WorkerProcesses | null = null
  const running: { stop(): Promise<void> }[] = []

  async function close(grace: number): Promise<void> {
    closing.abort()
    try {
      await listening?.close(grace * 1000)
      await Promise.all([
        ...running.map((part) => part.stop()),
        processes?.stop(grace),
        cluster?.engine.worker.stop(grace),
      ])
      await cluster?.close()
      await removeServiceFile(folder)
    } finally {
      lock.release()
    }
  }
  let closed: Promise<void> | null = null

  try {
    const endpoints =
      options.endpoints ??
      (await loadEndpoints({ path: join(folder, 'endpoints.json'), environment: process.env }))
    const opened = await openCluster(
      { ...options, endpoints, capacity, log },
      {
        worker: `serve-${randomUUID()}`,
        duties: workers > 0 ? ['dead_letters'] : allDuties,
        processes: Math.max(1, workers),
        kind: 'service',
        closing: closing.signal,
        training: (world) => openTrainers({ folder, world, isPrivate: auth === 'none' }),
      },
    )
    cluster = opened
    const { api, engine, machines, modelMachines, onError, placement, world } = opened
    const workersNow = () =>
      processes === null ? {} : { workers: { wanted: workers, playing: processes.playing } }
    const health: HealthServices = {
      now: () => ({ ...api.health.now(), ...workersNow() }),
      probe: async () => ({ ...(await api.health.probe()), ...workersNow() }),
    }
    const app = createApp(
      { ...api, health },
      {
        authenticate: localPrincipal({ keys: api.keys, auth, word }),
        log,
        closing: closing.signal,
        ...(auth === 'keys' && { eventTimes: { window: keyedStream } }),
      },
    )
    addFileRoute(app, world)
    addHostRoute(app, machines)
    addServedRoutes(app, modelMachines, world.objects)
    addJoinRoute(
      app,
      new JoinGateway({
        clock: world.clock,
        version: packageFile.version,
        portsOf: openJoinedPorts({
          world,
          placement,
          tend: engine.tend,
        }),
        closing: closing.signal,
        onError,
      }),
    )
    if (port !== undefined) {
      listening = await listen(app, { host, port }, servePages(options.pages ?? builtPages))
      const { address } = listening
      await writeServiceFile(folder, {
        pid: process.pid,
        address,
        started_at: new Date().toISOString(),
        word,
      })
    }
    const sweep = () => engine.sweep({ lostAfter })
    if (workers > 0) {
      processes = new WorkerProcesses({
        count: workers,
        work: {
          folder,
          world: options.world,
          objects: options.objects,
          endpoints: divideCalls(endpoints, workers),
          capacity: Math.max(1, Math.ceil(capacity / workers)),
          ...(options.labels && { labels: options.labels }),
          processes: workers,
        },
        async onEnd(worker) {
          await retireWorker(world, worker).catch((error) =>
            onError(error, 'ending the heartbeat of a worker'),
          )
          await sweep().catch((error) => onError(error, 'sweeping'))
        },
        log,
      })
      processes.start()
    }
    await engine.worker.start()
    running.push(...startDuties(opened, { sweep, builds: workers === 0, folder, log }))
    return {
      address: listening?.address ?? 'http://espalier.invalid',
      app,
      word,
      auth,
      close({ grace = 10 } = {}) {
        closed ??= close(grace)
        return closed
      },
    }
  } catch (error) {
    await close(0)
    throw error
  }
}

function startDuties(
  {
    api,
    caller,
    datasets,
    drivers,
    loops,
    machines,
    modelMachines,
    onError,
    registry,
    trainings,
    world,
  }: Cluster,
  {
    sweep,
    builds,
    folder,
    log,
  }: Pick<ClusterOptions, 'folder' | 'log'> & {
    sweep: () => Promise<void>
    builds: boolean
  },
): (QueueConsumer | Sweeper | ServerSupervisor)[] {
  const repeat = (work: () => Promise<void>, every: number, what: string) =>
    startSweeper(work, { every, onError: (error) => onError(error, what) })
  const scale = () =>
    scaleLocalFleets({ world: { ...world, hosts: machines }, caller, log, moreHosts: machines.capacity })
  return [
    ...(builds ? [datasets.start({ onError: (error) => onError(error, 'building datasets') })] : []),
    startJobConsumer(world, { training: trainings.handler, loop: loops.handler }, (error) =>
      onError(error, 'looking at a training or a loop'),
    ),
    repeat(sweep, sweepEvery, 'sweeping'),
    repeat(scale, scaleEvery, 'scaling the hosts'),
    repeat(async () => void (await api.health.probe()), probeEvery, 'checking the storage'),
    superviseServers({ world, registry, drivers, folder: join(folder, 'served'), onError }),
    repeat(() => modelMachines.stopOthers(), sweepEvery, 'stopping servers of an earlier service'),
    repeat(() => world.tidy(), tidyEvery, 'removing expired items'),
  ]
}

function takeFolder(folder: string): FolderLock {
  const lock = lockFolder(folder)
  if (lock !== null) return lock
  throw new EspalierError(
    'conflict',
    `The folder ${folder} is in use by another service: end it, or name another with --folder.`,
  )
}

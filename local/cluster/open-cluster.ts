import { join } from 'node:path'
import { errorFields, type Log } from '../../functions/api/log.ts'
import packageFile from '../../package.json' with { type: 'json' }
import { codeVersion } from '../../shared/core/engine/code-version.ts'
import { WorkerLogs } from '../../shared/core/engine/log/worker-logs.ts'
import type { WorkerDuty } from '../../shared/core/engine/worker.ts'
import {
  openPostgresWorld,
  type PostgresWorld,
} from '../../shared/core/world/postgres/open-postgres-world.ts'
import { openTracing } from '../../shared/insight/telemetry/open-tracing.ts'
import type { TrainingOptions } from '../../shared/learn/trainings/open-trainings.ts'
import type { Endpoints } from '../../shared/play/models/load-endpoints.ts'
import { hostImages } from '../host-images.ts'
import { type LocalService, wireLocalService } from '../wire-local-service.ts'
import { HostMachines } from './host-machines.ts'
import { ModelMachines } from './model-machines.ts'

export interface ClusterOptions {
  folder: string
  world: string
  objects: string
  endpoints: Endpoints
  capacity: number
  labels?: readonly string[]
  log: Log
}

export interface Cluster extends LocalService {
  world: PostgresWorld
  code: string
  machines: HostMachines
  modelMachines: ModelMachines
  onError(error: unknown, what: string): void
  close(): Promise<void>
}

/** Seconds for which a message in play stays hidden. The worker extends it, so a dead machine holds it no longer. */
const hiddenFor = 90

/** Milliseconds that a segment waits for those of other episodes: an object of a bucket has a price. */
const groupFor = 1000

export async function openCluster(
  options: ClusterOptions,
  own: {
    worker: string
    duties: readonly WorkerDuty[]
    processes: number
    /** Ends the polls of machines that run hosts. */
    closing?: AbortSignal
    kind: 'service' | 'shared'
    training?: (world: PostgresWorld) => Promise<TrainingOptions & { close(): Promise<void> }>
  },
): Promise<Cluster> {
  const { folder, endpoints, capacity, log } = options
  const { worker, duties, processes } = own
  const onError = (error: unknown, what: string) =>
    log({ level: 'error', event: 'service.failed', worker, what, ...errorFields(error) })
  const closing = own.closing ?? new AbortController().signal
  const world = await openPostgresWorld({
    address: options.world,
    objects: options.objects,
    images: hostImages,
    logs: join(folder, 'hosts'),
  })
  try {
    const tracing = await openTracing(process.env, packageFile.version, () => world.clock.now())
    const code = codeVersion(packageFile.version)
    const training = await own.training?.(world)
    const machines = new HostMachines({ world, closing })
    const modelMachines = new ModelMachines(machines)
    const parts = await wireLocalService({
      folder,
      world,
      endpoints,
      code,
      capacity,
      worker,
      duties,
      processes,
      machine: { kind: own.kind, ...(options.labels && { labels: options.labels }) },
      hasPeers: true,
      hiddenFor,
      ...(options.objects.startsWith('s3://') && { logs: new WorkerLogs(world, groupFor) }),
      // No process sees the machines of the others die.
      deaths: 'inferred',
      moreDrivers: [modelMachines],
      ...(training && { training }),
      ...(tracing && { observer: tracing.observer }),
      onError,
    })
    return {
      ...parts,
      world,
      code,
      machines,
      modelMachines,
      onError,
      async close() {
        machines.close()
        await tracing?.close().catch((error) => onError(error, 'sending traces'))
        await training?.close()
        await parts.models.close()
        await world.close()
      },
    }
  } catch (error) {
    await world.close()
    throw error
  }
}

import { errorFields, type Log } from '../../functions/api/log.ts'
import packageFile from '../../package.json' with { type: 'json' }
import { joinLocalWorld } from '../../shared/core/world/local/join-local-world.ts'
import type { QueueName } from '../../shared/core/world/ports.ts'
import { openTracing } from '../../shared/insight/telemetry/open-tracing.ts'
import { wireLocalService } from '../wire-local-service.ts'
import { coalesceRings } from './coalesce-rings.ts'
import type { MessageFromWorker, WorkerAssignment } from './worker-messages.ts'

export interface StartedWorker {
  ring(queue: QueueName): void
  /** @param grace seconds until pending calls are cut off */
  stop(grace: number): Promise<void>
}

export async function startWorker(
  assignment: WorkerAssignment,
  send: (message: MessageFromWorker) => Promise<void>,
): Promise<StartedWorker> {
  const { folder, name, duties, builds, code, capacity, labels, methodVersions, workers } = assignment
  const log: Log = (entry) => void send({ type: 'log', entry: { ...entry, worker: name } })
  const onError = (error: unknown, what: string) =>
    log({ level: 'error', event: 'service.failed', what, ...errorFields(error) })
  const world = await joinLocalWorld({
    folder,
    name,
    sharing: {
      onRing: coalesceRings((queue) => void send({ type: 'ring', queue })),
      onDamage: (damaged) => void send({ type: 'damage', name: damaged }),
    },
  })
  const tracing = await openTracing(process.env, packageFile.version, () => world.clock.now())
  const { engine, datasets, models } = await wireLocalService({
    folder,
    world,
    endpoints: new Map(assignment.endpoints),
    processes: workers,
    code,
    capacity,
    methodVersions,
    worker: name,
    duties,
    machine: { kind: 'service', labels },
    hasPeers: true,
    ...(tracing && { observer: tracing.observer }),
    onAlone: (episode) => send({ type: 'alone', episode }),
    onError,
  })
  await engine.worker.start()
  const consumer = builds ? datasets.start({ onError: (error) => onError(error, 'building datasets') }) : null
  return {
    ring: (queue) => world.ring(queue),
    async stop(grace) {
      const stopped = await Promise.allSettled([consumer?.stop(), engine.worker.stop(grace)])
      for (const result of stopped) if (result.status === 'rejected') onError(result.reason, 'stopping')
      await tracing?.close().catch((error) => onError(error, 'sending traces'))
      await models.close()
      await world.close()
    },
  }
}

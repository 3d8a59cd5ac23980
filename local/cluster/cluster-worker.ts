import { randomUUID } from 'node:crypto'
import { allDuties } from '../../shared/core/engine/worker.ts'
import { type ClusterOptions, openCluster } from './open-cluster.ts'

export interface ClusterWorker {
  readonly name: string
  stop(grace: number): Promise<void>
}

/**
 * Plays episodes and builds datasets of a world that other machines share.
 * @throws EspalierError `storage_failed` if the world cannot be used
 */
export async function startClusterWorker(
  options: ClusterOptions,
  {
    kind = 'shared',
    name = `worker-${randomUUID()}`,
    processes = 1,
  }: { kind?: 'service' | 'shared'; name?: string; processes?: number } = {},
): Promise<ClusterWorker> {
  const cluster = await openCluster(options, { worker: name, duties: allDuties, kind, processes })
  const { engine, datasets, onError } = cluster
  try {
    await engine.worker.start()
  } catch (error) {
    await cluster.close()
    throw error
  }
  const builds = datasets.start({ onError: (error) => onError(error, 'building datasets') })
  return {
    name,
    async stop(grace) {
      const stopped = await Promise.allSettled([builds.stop(), engine.worker.stop(grace)])
      for (const result of stopped) if (result.status === 'rejected') onError(result.reason, 'stopping')
      await cluster.close()
    },
  }
}

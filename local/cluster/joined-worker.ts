import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { errorFields, type Log } from '../../functions/api/log.ts'
import packageFile from '../../package.json' with { type: 'json' }
import { keyIdOf } from '../../shared/core/auth/key-text.ts'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { codeVersion } from '../../shared/core/engine/code-version.ts'
import { createOutboundFetch } from '../../shared/core/outbound/outbound-fetch.ts'
import { openJoinedWorld } from '../../shared/core/world/joined/open-joined-world.ts'
import { LocalHosts } from '../../shared/core/world/local/local-hosts.ts'
import { openTracing } from '../../shared/insight/telemetry/open-tracing.ts'
import type { Endpoints } from '../../shared/play/models/load-endpoints.ts'
import { hostImages } from '../host-images.ts'
import { wireLocalService } from '../wire-local-service.ts'
import type { ClusterWorker } from './cluster-worker.ts'
import { joinedName, otherVersion } from './join-route.ts'

export interface JoinedWorkerOptions {
  folder: string
  address: string
  token: string
  endpoints: Endpoints
  capacity: number
  labels?: readonly string[]
  log: Log
  onRefused(error: EspalierError): void
}

const hiddenFor = 90

/**
 * Plays episodes of a service over HTTPS: model calls, environments and programs run here, and the service keeps the rest.
 * @throws EspalierError `invalid_key` or `missing_scope` for the token, `conflict` for another version
 */
export async function startJoinedWorker(options: JoinedWorkerOptions): Promise<ClusterWorker> {
  const { address, token, folder, endpoints, capacity, labels = [], log, onRefused } = options
  const name = joinedNameOf(token)
  const onError = (error: unknown, what: string) =>
    log({ level: 'error', event: 'service.failed', worker: name, what, ...errorFields(error) })
  const world = await openJoinedWorld({
    ...{ address, token, onRefused },
    worker: name,
    fetch: createOutboundFetch({}),
    hosts: new LocalHosts(hostImages, join(folder, 'hosts')),
  })
  try {
    if (world.version !== packageFile.version) throw otherVersion(packageFile.version, world.version)
    const tracing = await openTracing(process.env, packageFile.version, () => world.clock.now())
    const { engine, models } = await wireLocalService({
      folder,
      world,
      endpoints,
      capacity,
      code: codeVersion(packageFile.version),
      worker: name,
      machine: { kind: 'joined', labels },
      duties: ['episodes', 'alone'],
      hasPeers: true,
      hiddenFor,
      // No process sees the machines of the others die.
      deaths: 'inferred',
      tend: (run) => world.tend(run),
      ...(tracing && { observer: tracing.observer }),
      onError,
    })
    await engine.worker.start()
    return {
      name,
      async stop(grace) {
        await engine.worker.stop(grace).catch((error) => onError(error, 'stopping'))
        await tracing?.close().catch((error) => onError(error, 'sending traces'))
        await models.close()
        await world.close()
      },
    }
  } catch (error) {
    await world.close()
    throw error
  }
}

export function joinedNameOf(token: string): string {
  const key = keyIdOf(token)
  if (key !== null) return joinedName(key, randomBytes(6).toString('hex'))
  throw new EspalierError(
    'invalid_key',
    'The token is no key of Espalier. On the service: espalier keys create --name NODE --scopes workers:join.',
    { param: 'token' },
  )
}

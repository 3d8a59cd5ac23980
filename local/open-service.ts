import { join } from 'node:path'
import type { ApiApp } from '../functions/api/api-app.ts'
import { createApp } from '../functions/api/create-app.ts'
import { type Log, logToStderr } from '../functions/api/log.ts'
import { servePages } from '../functions/show-pages/serve-pages.ts'
import packageFile from '../package.json' with { type: 'json' }
import { EspalierError } from '../shared/core/contracts/errors.ts'
import type { Endpoints } from '../shared/play/models/load-endpoints.ts'
import { addFileRoute } from './file-route.ts'
import { type Listening, listen } from './listen.ts'
import { type LocalAuth, localPrincipal, newFolderWord } from './local-principal.ts'
import { addMetricsRoute } from './metrics-route.ts'
import { readElsewhere } from './readers/read-elsewhere.ts'
import { ReaderThread } from './readers/reader-thread.ts'
import { isLoopback } from './refuse-strangers.ts'
import { wireServices } from './wire-services.ts'
import type { WorkerLimits } from './workers/worker-process.ts'

/**
 * Milliseconds for which a key stays valid on a stream of events. Then the client must send it again, as it may be
 * revoked.
 */
const keyedStream = 60_000

export interface ServiceOptions {
  folder: string
  /** 0 takes any free port. Without one, nothing listens and only `app.request` reaches the service. */
  port?: number
  host?: string
  /**
   * The authentication. A service that others can reach always requires keys.
   * @default 'none' on loopback, 'keys' beyond
   */
  auth?: LocalAuth
  endpoints?: Endpoints
  /** Maximum concurrent episodes of all workers together. @default 1000 */
  capacity?: number
  /** Worker processes that play episodes and build datasets; 0: this process does. @default 0 */
  workers?: number
  /**
   * Limits of each worker process. @default 10 s without a heartbeat; a share of 70 % of the memory, at least 1 GiB
   */
  workerLimits?: WorkerLimits
  /** Plays episodes and builds datasets. If false, the service only shows and changes stored data. @default true */
  work?: boolean
  labels?: readonly string[]
  pages?: string
  log?: Log
}

export interface Service {
  address: string
  app: ApiApp
  /** As a bearer key it grants every right, because the process that opened the service holds its folder. */
  word: string
  auth: LocalAuth
  /**
   * Stops taking requests and work, ends event streams, commits pending work and releases the folder. Idempotent.
   * @param options.grace seconds for pending requests and model calls, @default 10
   */
  close(options?: { grace?: number }): Promise<void>
}

export const builtPages = join(import.meta.dirname, '../web/dist')

const inProcessAddress = 'http://espalier.invalid'

/**
 * Opens the embedded service.
 * @example
 * const service = await openService({ folder: '.espalier', port: 8080 })
 * @throws EspalierError `invalid_request` for a service without keys that others can reach; when the folder cannot be
 * used or another process holds it, and when the port is in use
 */
export async function openService(options: ServiceOptions): Promise<Service> {
  const {
    folder,
    port,
    host = '127.0.0.1',
    endpoints,
    capacity = 1000,
    work = true,
    pages = builtPages,
    log = logToStderr,
  } = options
  const auth = options.auth ?? (isLoopback(host) ? 'none' : 'keys')
  if (auth === 'none' && !isLoopback(host)) throw openToOthers(host)
  const word = newFolderWord()
  const { labels = [], workers = 0, workerLimits } = options
  const wiring = await wireServices({
    folder,
    capacity,
    log,
    labels,
    workers: work ? workers : 0,
    isPrivate: auth === 'none',
    ...(workerLimits !== undefined && { workerLimits }),
    ...(endpoints !== undefined && { endpoints }),
  })
  const closing = new AbortController()
  const authenticate = localPrincipal({ keys: wiring.services.keys, auth, word })
  const app = createApp(wiring.services, {
    authenticate,
    log,
    closing: closing.signal,
    ...(auth === 'keys' && { eventTimes: { window: keyedStream } }),
  })
  addFileRoute(app, wiring.files)
  addMetricsRoute(app, {
    world: wiring.sums,
    version: packageFile.version,
  })
  const reader = new ReaderThread({ ...wiring.reading, auth, word }, log, wiring.onDamage)
  let listening: Listening | null = null
  let closed: Promise<void> | null = null

  async function close(grace: number): Promise<void> {
    closing.abort()
    await listening?.close(grace * 1000)
    await reader.close()
    await wiring.close(grace)
  }

  try {
    // Bind the port first: if it is in use, an unwatched worker would already spend money.
    if (port !== undefined) {
      listening = await listen(readElsewhere(app, reader, log), { host, port }, servePages(pages))
      await wiring.announce(listening.address, word)
    }
    if (work) await wiring.start()
  } catch (error) {
    await close(0)
    throw error
  }
  return {
    address: listening?.address ?? inProcessAddress,
    app,
    word,
    auth,
    close({ grace = 10 } = {}) {
      closed ??= close(grace)
      return closed
    },
  }
}

export function openToOthers(host: string): EspalierError {
  return new EspalierError(
    'invalid_request',
    `A service on ${host} can be reached by others and must ask for keys. Leave out --auth none, or listen on 127.0.0.1.`,
    { param: 'auth' },
  )
}

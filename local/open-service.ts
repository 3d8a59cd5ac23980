import type { ApiApp } from '../functions/api/api-app.ts'
import { createApp } from '../functions/api/create-app.ts'
import { type Log, logToStderr } from '../functions/api/log.ts'
import type { Endpoints } from '../shared/models/load-endpoints.ts'
import { addFileRoute } from './file-route.ts'
import { type Listening, listen } from './listen.ts'
import { wireServices } from './wire-services.ts'

export interface ServiceOptions {
  /** Where everything is kept. One process at a time holds it. */
  folder: string
  /** 0 takes any port that is free. Without one, nothing listens and only `app.request` reaches the service. */
  port?: number
  /** @default '127.0.0.1' */
  host?: string
  /** @default those of `endpoints.json` in the folder, and the built-in ones */
  endpoints?: Endpoints
  /** Episodes played side by side at most. @default 1000 */
  capacity?: number
  /** Whether it plays episodes and builds datasets; without, it only shows and changes what is there. @default true */
  work?: boolean
  /** @default one line of JSON per entry, to stderr */
  log?: Log
}

/** The whole of Espalier in this process. */
export interface Service {
  /** Where it listens; without a port, a made-up address that only `app.request` knows. */
  address: string
  app: ApiApp
  /**
   * Stops taking requests and work, ends event streams, commits what is under way and releases the folder. Idempotent.
   *
   * @param options.grace seconds for requests and model calls under way, @default 10
   */
  close(options?: { grace?: number }): Promise<void>
}

/** Reserved by RFC 2606: no name server will ever lead it anywhere. */
const inProcessAddress = 'http://espalier.invalid'

/**
 * Opens the embedded service.
 *
 * @example
 * const service = await openService({ folder: '.espalier', port: 8080 })
 * @throws EspalierError when the folder cannot be used or another process holds it, and when the port is in use
 */
export async function openService(options: ServiceOptions): Promise<Service> {
  const {
    folder,
    port,
    host = '127.0.0.1',
    endpoints,
    capacity = 1000,
    work = true,
    log = logToStderr,
  } = options
  const wiring = await wireServices({ folder, capacity, log, ...(endpoints !== undefined && { endpoints }) })
  const closing = new AbortController()
  const app = createApp(wiring.services, { log, closing: closing.signal })
  addFileRoute(app, wiring.files)
  let listening: Listening | null = null
  let closed: Promise<void> | null = null

  async function close(grace: number): Promise<void> {
    closing.abort()
    await listening?.close(grace * 1000)
    await wiring.close(grace)
  }

  try {
    // The port first: were it in use, an unwatched worker would have begun to spend money.
    if (port !== undefined) {
      listening = await listen(app, { host, port })
      await wiring.announce(listening.address)
    }
    if (work) await wiring.start()
  } catch (error) {
    await close(0)
    throw error
  }
  return {
    address: listening?.address ?? inProcessAddress,
    app,
    close({ grace = 10 } = {}) {
      closed ??= close(grace)
      return closed
    },
  }
}

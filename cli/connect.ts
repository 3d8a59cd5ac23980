import { resolve } from 'node:path'
import type { ApiClient } from '../shared/core/client/api-client.ts'
import { outboundFetch } from '../shared/core/outbound/outbound-fetch.ts'
import type { MethodFiles } from '../shared/play/methods/added/methods-file.ts'
import type { Credentials } from './api-transport.ts'
import { wrongUsage } from './command-error.ts'
import type { GlobalOptions } from './global-options.ts'
import { openClient } from './open-client.ts'
import type { SimulatedSettings } from './simulated-endpoint.ts'
import type { Terminal } from './terminal.ts'

export interface Connection {
  client: ApiClient
  readonly address: string
  readonly embedded: boolean
  folder: string | null
  close(): Promise<void>
}

export interface EmbeddedNeeds {
  /** `look`: plays and spends nothing, even if the folder has waiting runs. @default 'work' */
  purpose?: 'look' | 'work'
  simulated?: SimulatedSettings
  /** The preferred port, so that people find the service. Another if it is taken. @default any */
  port?: number
  /** Notes which process holds the folder, if any. @default false */
  saysHolder?: boolean
  /** Methods besides those of `methods.json`, for looking only. @default none */
  methodFiles?: MethodFiles
}

/**
 * Connects to the named service, else to the service that holds the data folder, else to one opened in this process
 * for the command's duration.
 */
export async function connect(
  options: GlobalOptions,
  terminal: Terminal,
  needs: EmbeddedNeeds = {},
): Promise<Connection> {
  const signal = terminal.interruption()
  if (options.service !== undefined) {
    return connectTo(options.service, { folder: null, signal, ...keyOf(options) })
  }
  const folder = resolve(options.folder)
  // Imported here, so that `--help` and commands for a remote service do not load the engine.
  const { openFolderService } = await import('./folder-service.ts')
  const service = await openFolderService(folder, options, terminal, needs)
  return {
    client: openClient({ address: service.address, fetcher: service.fetcher, signal }),
    get address() {
      return service.address
    },
    get embedded() {
      return service.embedded
    },
    folder,
    close: () => service.close(),
  }
}

function connectTo(
  address: string,
  needs: { folder: string | null; signal: AbortSignal; credentials?: Credentials },
): Connection {
  const { folder, ...rest } = needs
  const client = openClient({ address, fetcher: outboundFetch, ...rest })
  return { client, address, embedded: false, folder, close: async () => {} }
}

export function keyOf({ apiKey, tenant }: GlobalOptions): { credentials?: Credentials } {
  if (tenant !== undefined) {
    throw wrongUsage('--tenant is for the data folder. At a service the key says whose things are meant.')
  }
  if (apiKey === undefined) return {}
  if (!/^[\x21-\x7e]*$/.test(apiKey)) {
    throw wrongUsage('The API key holds a character that no key has. Look at --api-key and ESPALIER_API_KEY.')
  }
  return { credentials: { key: apiKey } }
}

export function holderOf({ tenant }: GlobalOptions, word: string | undefined): { credentials?: Credentials } {
  if (word === undefined) return {}
  return { credentials: { key: word, ...(tenant === undefined ? {} : { tenant }) } }
}

export async function withConnection<Result>(
  options: GlobalOptions,
  terminal: Terminal,
  work: (connection: Connection) => Promise<Result>,
  needs?: EmbeddedNeeds,
): Promise<Result> {
  const connection = await connect(options, terminal, needs)
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}

export function lookAt<Result>(
  options: GlobalOptions,
  terminal: Terminal,
  work: (connection: Connection) => Promise<Result>,
  needs: Pick<EmbeddedNeeds, 'methodFiles'> = {},
): Promise<Result> {
  return withConnection(options, terminal, work, { ...needs, purpose: 'look' })
}

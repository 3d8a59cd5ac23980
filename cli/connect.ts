import { resolve } from 'node:path'
import type { ApiClient } from '../shared/client/api-client.ts'
import type { MethodFiles } from '../shared/methods/added/methods-file.ts'
import { outboundFetch } from '../shared/outbound/outbound-fetch.ts'
import type { Credentials } from './api-transport.ts'
import { wrongUsage } from './command-error.ts'
import type { GlobalOptions } from './global-options.ts'
import { openClient } from './open-client.ts'
import type { SimulatedSettings } from './simulated-endpoint.ts'
import type { Terminal } from './terminal.ts'

/** A service that a command talks to. */
export interface Connection {
  client: ApiClient
  /** Where the service is reached over HTTP; one that is opened only for looking is not. */
  readonly address: string
  /** The service runs in this process and ends with the command. */
  readonly embedded: boolean
  /** The data folder, where it is known. */
  folder: string | null
  /** Lets go of the service; one in this process commits and closes. */
  close(): Promise<void>
}

/** What a command needs of a service that it opens itself. */
export interface EmbeddedNeeds {
  /** `look`: nothing is played and nothing spent, whatever the folder's runs wait for. @default 'work' */
  purpose?: 'look' | 'work'
  /** How the simulated model plays, unless `endpoints.json` says. */
  simulated?: SimulatedSettings
  /** The port that it listens on if that is free, so that people find it. @default any */
  port?: number
  /** Notes which process holds the folder, if one does. @default false */
  saysHolder?: boolean
  /** Methods beside those of `methods.json`, where it only looks. @default none */
  methodFiles?: MethodFiles
}

/**
 * Finds the service that a command is for: the one that is named; else the one that holds the data folder; else one opened
 * in this process for as long as the command runs.
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
  // Imported here, so that `--help` and commands for a distant service do not load the engine.
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

/** The credentials for a named service: the key, which determines the tenant. */
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

/** The credentials for the service of a data folder: reading the folder gives every right in it. */
export function holderOf({ tenant }: GlobalOptions, word: string | undefined): { credentials?: Credentials } {
  if (word === undefined) return {}
  return { credentials: { key: word, ...(tenant === undefined ? {} : { tenant }) } }
}

/** Runs the work with a connection and closes it however the work ends. */
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

/** The same for a command that only looks. */
export function lookAt<Result>(
  options: GlobalOptions,
  terminal: Terminal,
  work: (connection: Connection) => Promise<Result>,
  needs: Pick<EmbeddedNeeds, 'methodFiles'> = {},
): Promise<Result> {
  return withConnection(options, terminal, work, { ...needs, purpose: 'look' })
}

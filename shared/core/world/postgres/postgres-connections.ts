import { Client, type ClientConfig, Pool, type PoolClient } from 'pg'
import { EspalierError } from '../../contracts/errors.ts'
import { systemClock } from '../system-clock.ts'
import { worldClosed } from '../world-closed.ts'
import { isPassingFailure, postgresError } from './postgres-error.ts'

export interface ConnectionOptions {
  /** `postgres://user:password@host:port/database`, with `?schema=name` for a schema other than `espalier`. */
  address: string
  /** Connections of this process. @default 10 */
  connections?: number
  /** Seconds for which failures that pass are retried. @default 60 */
  patience?: number
}

const connectWithin = 5000
/** Milliseconds. The server gives up first, so that a connection outlives a slow statement. */
const statementWithin = 25_000
const answerWithin = 30_000
const longestPause = 2000

export type OneConnection = Pick<PoolClient, 'query'>

/**
 * The connections of one world. Work is retried while its failure passes: a lost connection, a restart, a failover, a
 * time-out. So work must have the same effect if it is done twice.
 */
export class PostgresConnections {
  readonly schema: string
  readonly name: string
  readonly #config: ClientConfig
  readonly #patience: number
  readonly #pool: Pool
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #closing = new AbortController()

  constructor({ address, connections = 10, patience = 60 }: ConnectionOptions) {
    const { connectionString, schema, name } = readAddress(address)
    this.schema = schema
    this.name = name
    this.#patience = patience
    this.#config = {
      connectionString,
      application_name: 'espalier',
      options: `-c search_path=${schema}`,
      connectionTimeoutMillis: connectWithin,
      statement_timeout: statementWithin,
      query_timeout: answerWithin,
      idle_in_transaction_session_timeout: answerWithin,
      keepAlive: true,
    }
    this.#pool = new Pool({ ...this.#config, max: connections, idleTimeoutMillis: 60_000 })
    // The next query over a lost connection meets the failure and is retried.
    this.#pool.on('error', () => undefined)
    this.#pool.on('connect', (client) => client.on('error', () => undefined))
  }

  get closing(): AbortSignal {
    return this.#closing.signal
  }

  connect(): Client {
    return new Client({ ...this.#config, query_timeout: 0 })
  }

  /**
   * Does work over one connection, and again after failures that pass.
   * @param doing to follow "Could not"
   * @throws EspalierError `storage_failed`: the failure did not pass
   */
  run<Result>(
    doing: string,
    work: (query: OneConnection, tries: number) => Promise<Result>,
  ): Promise<Result> {
    return this.#track(async () => {
      const deadline = performance.now() + this.#patience * 1000
      for (let tries = 1; ; tries += 1) {
        try {
          return await this.#attempt((query) => work(query, tries))
        } catch (error) {
          const isOver = this.closing.aborted || performance.now() >= deadline
          if (!isPassingFailure(error)) throw postgresError(error, doing, this.name)
          if (isOver) throw postgresError(error, doing, this.name, this.#patience)
          const pause = Math.min(longestPause, 25 * 2 ** Math.min(tries, 10)) * (0.5 + Math.random())
          await systemClock.sleep(pause)
        }
      }
    })
  }

  /** Does work over one connection, once. Its failure is as the client threw it. */
  once<Result>(work: (query: OneConnection) => Promise<Result>): Promise<Result> {
    return this.#track(() => this.#attempt(work))
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.allSettled(this.#underWay)
    await this.#pool.end()
  }

  async #attempt<Result>(work: (query: OneConnection) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connect()
    try {
      const result = await work(client)
      client.release()
      return result
    } catch (error) {
      // A connection that failed may hold half an answer or an open transaction.
      client.release(true)
      throw error
    }
  }

  async #track<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.closing.aborted) throw worldClosed()
    const running = work()
    this.#underWay.add(running)
    try {
      return await running
    } finally {
      this.#underWay.delete(running)
    }
  }
}

interface PostgresAddress {
  connectionString: string
  schema: string
  name: string
}

const usualSchema = 'espalier'

/**
 * Reads the address of a world. `?schema=name` keeps several worlds in one database.
 * @throws EspalierError `invalid_request`
 */
function readAddress(address: string): PostgresAddress {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url === null || !isPostgresAddress(address))
    throw invalid(
      'is no address of a PostgreSQL database: write postgres://user:password@host:5432/database.',
    )
  const schema = url.searchParams.get('schema') ?? usualSchema
  if (!/^[a-z_][a-z0-9_]{0,40}$/.test(schema))
    throw invalid(
      `names the schema "${schema}": use 1 to 41 lower-case letters, digits and underscores, not a digit first.`,
    )
  url.searchParams.delete('schema')
  const host = url.searchParams.get('host') ?? url.host
  return { connectionString: url.href, schema, name: `${host}${url.pathname} (schema ${schema})` }
}

function isPostgresAddress(address: string): boolean {
  return /^postgres(ql)?:\/\//.test(address)
}

function invalid(why: string): EspalierError {
  // The address may hold a password, so the error leaves it out.
  return new EspalierError('invalid_request', `The world ${why}`, { param: 'world' })
}

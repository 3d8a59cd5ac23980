import { randomUUID } from 'node:crypto'
import { EspalierError } from '../../contracts/errors.ts'
import type { Json } from '../../contracts/json.ts'
import type {
  Clock,
  Hosts,
  IncomingMessage,
  Ledger,
  LedgerItem,
  ObjectInfo,
  Objects,
  PutOptions,
  Queue,
  QueueName,
  World,
} from '../ports.ts'
import { systemClock } from '../system-clock.ts'
import { JoinedConnection, type JoinedConnectionOptions } from './joined-connection.ts'

export interface JoinedWorldOptions extends JoinedConnectionOptions {
  hosts: Hosts & { close(): Promise<void> }
}

export interface RemoteWorld extends World {
  readonly name: 'postgres'
  readonly version: string
  tend(run: string): Promise<void>
}

const partBytes = 3_000_000

type PutResult = Awaited<ReturnType<Objects['put']>>
type Found = { key: string; size: number; etag: string; content_type: string | null } | null

/**
 * Opens a world whose objects, ledger and queues a service holds. The clock follows the service's, by its first answer.
 * @throws EspalierError `invalid_key` or `missing_scope` for a token that the service refuses
 */
export async function openJoinedWorld(options: JoinedWorldOptions): Promise<RemoteWorld> {
  const connection = new JoinedConnection(options)
  const asked = Date.now()
  const { value } = await connection.call({ op: 'hello' })
  const { now, version } = value as { now: number; version: string }
  const ahead = now - (asked + Date.now()) / 2
  const clock: Clock = { ...systemClock, now: () => Math.round(Date.now() + ahead) }
  const { hosts } = options
  const queueOf = (name: QueueName) => openQueue(connection, name)
  let closing: Promise<void> | undefined
  return {
    name: 'postgres',
    version,
    objects: openObjects(connection),
    ledger: openLedger(connection),
    queues: {
      episodes: queueOf('episodes'),
      alone: queueOf('alone'),
      datasets: queueOf('datasets'),
      jobs: queueOf('jobs'),
    },
    hosts,
    clock,
    tend: async (run) => void (await connection.call({ op: 'tend', run })),
    close() {
      closing ??= Promise.all([hosts.close(), connection.close()]).then(() => undefined)
      return closing
    },
  }
}

function openObjects(connection: JoinedConnection): Objects {
  return {
    async put(key, body, options = {}) {
      if (body.byteLength > 2 * partBytes) return putInParts(connection, key, body, options)
      const { value } = await connection.call({ op: 'put', key, options }, body)
      return value as PutResult
    },
    async get(key, range) {
      const { value, body } = await connection.call({ op: 'get', key, ...(range && { range }) })
      const found = value as Found
      return found === null ? null : { ...found, body: body ?? new Uint8Array() }
    },
    head: async (key) => (await connection.call({ op: 'head', key })).value as ObjectInfo | null,
    async list(prefix, options = {}) {
      const { value } = await connection.call({ op: 'list', prefix, options })
      return value as unknown as Awaited<ReturnType<Objects['list']>>
    },
    delete: async (key) => void (await connection.call({ op: 'remove', key })),
    async sign(key, options) {
      const { value } = await connection.call({ op: 'sign', key, options })
      const { url, expires_at } = value as { url: string; expires_at: string }
      return { url, expires_at: new Date(expires_at) }
    },
  }
}

// A service that restarts has lost the parts: then they are sent again.
async function putInParts(
  connection: JoinedConnection,
  key: string,
  body: Uint8Array,
  options: PutOptions,
): Promise<PutResult> {
  for (let tries = 1; ; tries += 1) {
    const id = randomUUID()
    let parts = 0
    try {
      for (let start = 0; start < body.byteLength; start += partBytes) {
        await connection.call({ op: 'part', upload: id, at: parts }, body.subarray(start, start + partBytes))
        parts += 1
      }
      const { value } = await connection.call({ op: 'put', key, options, upload: { id, parts } })
      return value as PutResult
    } catch (error) {
      if (!EspalierError.isInstance(error) || error.code !== 'conflict' || tries === 3) throw error
    }
  }
}

function openLedger(connection: JoinedConnection): Ledger {
  return {
    get: async (key) => (await connection.call({ op: 'item', key })).value as LedgerItem | null,
    async update(change) {
      const { value } = await connection.call({ op: 'update', change: copy(change) })
      return value as Awaited<ReturnType<Ledger['update']>>
    },
    async transact(changes) {
      const { value } = await connection.call({ op: 'transact', changes: copy(changes) })
      return value as Awaited<ReturnType<Ledger['transact']>>
    },
    async query(partition, { onDamaged: _, ...options } = {}) {
      const { value } = await connection.call({ op: 'query', partition, options })
      return value as unknown as Awaited<ReturnType<Ledger['query']>>
    },
  }
}

function openQueue(connection: JoinedConnection, queue: QueueName): Queue {
  const part = (dead: boolean): Queue['dead_letters'] => ({
    async receive({ signal, groups: _, ...options }) {
      if (signal?.aborted) return []
      const { value } = await connection
        .wait({ op: 'receive', queue, dead, ...options }, signal)
        .catch((error: unknown) => {
          if (signal?.aborted) return { value: [] as Json }
          throw error
        })
      return value as unknown as IncomingMessage[]
    },
    delete: async (receipt) => void (await connection.call({ op: 'drop', queue, dead, receipt })),
  })
  return {
    ...part(false),
    dead_letters: part(true),
    send: async (messages) => void (await connection.call({ op: 'send', queue, messages: copy(messages) })),
    extend: async (receipt, visibility) =>
      void (await connection.call({ op: 'hide', queue, receipt, visibility })),
  }
}

function copy<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value
}

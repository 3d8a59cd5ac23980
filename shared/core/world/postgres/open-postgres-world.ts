import { randomBytes, randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { EspalierError } from '../../contracts/errors.ts'
import { DamageBook } from '../damage-book.ts'
import { LocalHosts } from '../local/local-hosts.ts'
import { type FileGrant, verifySignature } from '../local/signed-address.ts'
import type { Objects, QueueName, World } from '../ports.ts'
import { systemClock } from '../system-clock.ts'
import { type ConnectionOptions, type OneConnection, PostgresConnections } from './postgres-connections.ts'
import { PostgresLedger } from './postgres-ledger.ts'
import { PostgresObjects } from './postgres-objects.ts'
import { PostgresQueue } from './postgres-queue.ts'
import { QueueListener } from './queue-listener.ts'
import { schemaV1 } from './schema-v1.ts'
import { openSharedFolder } from './shared-folder.ts'

/** The versions of the schema, oldest first. Each only adds, so that older workers finish their episodes beside it. */
const schemaVersions = [schemaV1]

const oldestServer = 150_000

export interface PostgresWorldOptions extends ConnectionOptions {
  /** A folder that all machines of the world share, or `s3://bucket`. */
  objects: string
  images?: Readonly<Record<string, string>>
  logs: string
}

export interface PostgresWorld extends World {
  readonly name: 'postgres'
  readonly ledger: PostgresLedger
  readonly queues: Record<QueueName, PostgresQueue>
  readonly damage: DamageBook
  /**
   * The access that an address signed by `objects.sign` grants.
   * @throws EspalierError `invalid_signature`: changed, incomplete or expired
   */
  verify(address: string): FileGrant
  countMessages(): Promise<{ queue: string; state: string; count: number }[]>
  tidy(): Promise<void>
}

/**
 * Opens the world in a PostgreSQL database, and creates its tables on first use. Hosts are processes of this machine.
 * @throws EspalierError `storage_failed`: the database or the objects cannot be used, or belong to another world
 */
export async function openPostgresWorld(options: PostgresWorldOptions): Promise<PostgresWorld> {
  const connections = new PostgresConnections(options)
  try {
    return await openOver(connections, options)
  } catch (error) {
    await connections.close()
    throw error
  }
}

async function openOver(
  connections: PostgresConnections,
  { objects: place, images = {}, logs }: PostgresWorldOptions,
): Promise<PostgresWorld> {
  await migrate(connections)
  const damage = new DamageBook()
  const secret = Buffer.from(
    await settle(connections, 'signing secret', randomBytes(32).toString('hex')),
    'hex',
  )
  const { objects, close: closeObjects } = await openObjects(connections, place, { secret, damage })
  const ledger = new PostgresLedger(connections)
  const openQueue = (name: QueueName) => PostgresQueue.open(connections, name)
  const queues = {
    episodes: openQueue('episodes'),
    alone: openQueue('alone'),
    datasets: openQueue('datasets'),
    jobs: openQueue('jobs'),
  }
  const listener = new QueueListener(connections, (queue) => {
    for (const each of Object.values(queues)) each.ring(queue)
  })
  await listener.start()
  const hosts = new LocalHosts(images, logs)

  async function close(): Promise<void> {
    for (const queue of Object.values(queues)) queue.close()
    await Promise.all([hosts.close(), listener.stop(), closeObjects()])
    await connections.close()
  }
  let closing: Promise<void> | undefined

  return {
    name: 'postgres',
    damage,
    objects,
    ledger,
    queues,
    hosts,
    clock: systemClock,
    verify: (address) => verifySignature(secret, address, Date.now()),
    countMessages: () => countMessages(connections),
    tidy: () => ledger.removeExpired(),
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

/**
 * Creates or updates the tables of a world. Of several processes that start at once, one does it.
 * @throws EspalierError `storage_failed`: the server is too old, or a newer Espalier wrote the tables
 */
async function migrate(connections: PostgresConnections): Promise<void> {
  const { schema, name } = connections
  await connections.run('prepare the tables', async (query) => {
    await checkServer(query, name)
    await query.query('begin')
    await query.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`espalier ${schema}`])
    await query.query(`create schema if not exists ${schema}`)
    await query.query(
      'create table if not exists migrations (version integer primary key, at timestamptz not null default now())',
    )
    const { rows } = await query.query('select coalesce(max(version), 0) as version from migrations')
    const written = Number((rows[0] as { version: number }).version)
    if (written > schemaVersions.length) throw newerWorld(name, written)
    for (const [at, statements] of schemaVersions.entries()) {
      if (at < written) continue
      await query.query(statements)
      await query.query('insert into migrations (version) values ($1)', [at + 1])
    }
    await query.query('commit')
  })
}

async function checkServer(query: OneConnection, name: string): Promise<void> {
  const { rows } = await query.query(
    `select current_setting('server_version_num')::integer as version, current_setting('server_encoding') as encoding`,
  )
  const { version, encoding } = rows[0] as { version: number; encoding: string }
  if (version < oldestServer)
    throw refused(
      `The database ${name} is PostgreSQL ${Math.floor(version / 10_000)}: Espalier needs 15 or newer.`,
    )
  if (encoding !== 'UTF8')
    throw refused(
      `The database ${name} has the encoding ${encoding}: create one with UTF8 (createdb --encoding UTF8 --template template0).`,
    )
}

async function openObjects(
  connections: PostgresConnections,
  place: string,
  { secret, damage }: { secret: Uint8Array; damage: DamageBook },
): Promise<{ objects: Objects; close(): Promise<void> }> {
  const bucket = /^s3:\/\/([^/]+)\/?$/.exec(place)?.[1]
  const kind = bucket === undefined ? 'folder' : `s3://${bucket}`
  const world = await settle(connections, 'world', randomUUID())
  const known = await readSetting(connections, 'objects')
  if (known !== null && known !== kind) throw otherObjects(place, known)
  if (bucket === undefined) {
    const files = await openSharedFolder(resolve(place), world, known === null)
    await settle(connections, 'objects', kind)
    return {
      objects: new PostgresObjects(connections, { files, secret, damage }),
      close: async () => undefined,
    }
  }
  await settle(connections, 'objects', kind)
  // Imported here, so that a world with a shared folder loads no AWS client.
  const [{ AwsObjects }, { AwsConnections }] = await Promise.all([
    import('../aws/aws-objects.ts'),
    import('../aws/aws-connections.ts'),
  ])
  const clients = new AwsConnections()
  return { objects: new AwsObjects(clients, bucket), close: () => clients.close() }
}

async function settle(connections: PostgresConnections, name: string, value: string): Promise<string> {
  await connections.run('write the settings', (query) =>
    query.query('insert into settings (name, value) values ($1, $2) on conflict do nothing', [name, value]),
  )
  return (await readSetting(connections, name)) ?? value
}

async function readSetting(connections: PostgresConnections, name: string): Promise<string | null> {
  const { rows } = await connections.run('read the settings', (query) =>
    query.query<{ value: string }>('select value from settings where name = $1', [name]),
  )
  return rows[0]?.value ?? null
}

async function countMessages(
  connections: PostgresConnections,
): Promise<{ queue: string; state: string; count: number }[]> {
  const { rows } = await connections.run('count the messages', (query) =>
    query.query<{ queue: string; state: string; count: number }>(
      `select split_part(queue, '/', 1) as queue, count(*)::integer as count,
         case when queue like '%/dead' then 'dead' when state = 0 or visible_at <= clock_timestamp() then 'ready'
           when state = 1 then 'delayed' else 'in_flight' end as state
       from messages group by 1, 3 order by 1, 3`,
    ),
  )
  return rows
}

function otherObjects(place: string, known: string): EspalierError {
  const first = known === 'folder' ? 'a shared folder' : known
  return refused(
    `This world keeps its objects in ${first}, not in ${place}: name the same with --objects, or another schema with ?schema= in the address.`,
  )
}

function newerWorld(name: string, version: number): EspalierError {
  return refused(
    `The world in ${name} was written by a newer Espalier (its schema is version ${version}, this one's is ${schemaVersions.length}). Update Espalier, or name another schema with ?schema=.`,
  )
}

function refused(message: string): EspalierError {
  return new EspalierError('storage_failed', message)
}

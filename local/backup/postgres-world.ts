import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { BodyFiles } from '../../shared/core/world/local/body-files.ts'
import { makeWithParents } from '../../shared/core/world/local/make-with-parents.ts'
import { writeFileAtomically } from '../../shared/core/world/local/write-file-atomically.ts'
import {
  openPostgresWorld,
  type PostgresWorld,
} from '../../shared/core/world/postgres/open-postgres-world.ts'
import { PostgresConnections } from '../../shared/core/world/postgres/postgres-connections.ts'
import { postgresError } from '../../shared/core/world/postgres/postgres-error.ts'
import { copyBodies, copyWhole } from './copy-bodies.ts'
import {
  insertRows,
  isWhole,
  type ObjectLine,
  type RowCounts,
  type RowsClient,
  tables,
  writeRows,
} from './postgres-rows.ts'
import {
  type BackupFacts,
  conflict,
  type OnProgress,
  refused,
  type SealedBackup,
  syncFolder,
} from './sealed-backup.ts'
import { copyStored, restoreStored } from './stored-objects.ts'

export interface WorldPlace {
  world: string
  objects: string
}

const settingsName = 'settings.json'
const settingsSchema = z.strictObject({ schema: z.int().min(1), signing_secret: z.string() })

const isBucket = ({ objects }: WorldPlace): boolean => objects.startsWith('s3://')

export async function backUpWorld(
  place: WorldPlace,
  target: string,
  onProgress: OnProgress,
): Promise<BackupFacts> {
  await makeWithParents(target)
  const connections = new PostgresConnections({ address: place.world })
  let world: PostgresWorld | null = null
  try {
    if ((await countRows(connections)) === null)
      throw refused(`There is no world in ${connections.name}: check the address, and its ?schema=.`)
    world = await openPostgresWorld({ address: place.world, objects: place.objects, logs: tmpdir() })
    await writeFileAtomically(join(target, settingsName), JSON.stringify(await readSettings(connections)))
    const rows = rowsOf(connections, target, onProgress)
    const { count, damaged } = isBucket(place)
      ? await copyStored(world.objects, target, rows.write, onProgress)
      : await copyShared(connections, resolve(place.objects), target, rows, onProgress)
    const { ledger: items, messages, objects } = rows.counts
    return {
      ...{ world: 'postgres', store: isBucket(place) ? 's3' : 'folder', items, messages },
      objects: objects + count,
      damaged: [...rows.damaged, ...damaged].map((key) => `object ${key}`),
    }
  } finally {
    await world?.close()
    await connections.close()
  }
}

interface WrittenRows {
  counts: RowCounts
  named: Map<string, ObjectLine>
  damaged: string[]
  write(): Promise<void>
}

function rowsOf(connections: PostgresConnections, target: string, onProgress: OnProgress): WrittenRows {
  const rows: WrittenRows = {
    ...{ counts: { ledger: 0, messages: 0, objects: 0 }, named: new Map(), damaged: [] },
    async write() {
      rows.named.clear()
      rows.damaged = []
      rows.counts = await withClient(connections, 'copy the tables', (client) => {
        const onObject = (row: ObjectLine) => {
          if (row.file !== null) rows.named.set(row.file, row)
          else if (!isWhole(row)) rows.damaged.push(row.key)
        }
        return writeRows(client, target, onObject, onProgress)
      })
    },
  }
  return rows
}

async function copyShared(
  connections: PostgresConnections,
  folder: string,
  target: string,
  rows: WrittenRows,
  onProgress: OnProgress,
): Promise<{ count: number; damaged: string[] }> {
  const to = join(target, 'bodies')
  await copyBodies({
    ...{ from: join(folder, 'bodies'), to, onProgress },
    async snapshot() {
      await rows.write()
      return new Set(rows.named.keys())
    },
    isStillNamed: async (file) =>
      (await ask(connections, 'select 1 from objects where file = $1', [file])).length > 0,
  })
  const files = new BodyFiles(to)
  const damaged: string[] = []
  for (const [file, { etag, key }] of rows.named) if ((await files.digest(file)) !== etag) damaged.push(key)
  return { count: 0, damaged }
}

/**
 * Restores a backup into an empty world: the objects first, then all tables in one transaction. So an interrupted
 * restore leaves an empty world, and the next one completes it.
 * @throws EspalierError `conflict`: the world, the folder or the bucket is not empty
 */
export async function restoreWorld(
  from: string,
  sealed: SealedBackup,
  place: WorldPlace,
  onProgress: OnProgress,
): Promise<void> {
  const settings = settingsSchema.parse(JSON.parse(await readFile(join(from, settingsName), 'utf8')))
  const connections = new PostgresConnections({ address: place.world })
  let world: PostgresWorld | null = null
  try {
    demandEmpty(connections, await countRows(connections))
    world = await openPostgresWorld({ address: place.world, objects: place.objects, logs: tmpdir() })
    const known = await readSettings(connections)
    if (settings.schema > known.schema)
      throw refused(
        `A newer Espalier (${sealed.espalier}) made this backup: its tables are version ${settings.schema}, this one's are ${known.schema}. Update Espalier, then restore it.`,
      )
    if (sealed.store === 's3') await restoreStored(world.objects, from, onProgress)
    else await restoreShared(join(from, 'bodies'), join(resolve(place.objects), 'bodies'), onProgress)
    await withClient(connections, 'restore the tables', async (client) => {
      await client.query('begin')
      await client.query(`lock table ${tables.join(', ')} in exclusive mode`)
      demandEmpty(connections, await countRows(connections, client))
      const counts = await insertRows(client, from, onProgress)
      const { ledger, messages, objects } = counts
      const isWhole =
        ledger === sealed.items &&
        messages === sealed.messages &&
        (sealed.store === 's3' ? objects === 0 : objects === sealed.objects)
      if (!isWhole)
        throw refused(`The backup ${from} has other rows than it lists: ${JSON.stringify(counts)}.`)
      // Its takers are processes of the world of the backup.
      await client.query(
        `update messages set state = 0, visible_at = null, receives = greatest(receives - 1, 0), taker = null
         where state = 2`,
      )
      await client.query(
        `select setval(pg_get_serial_sequence('messages', 'id'), coalesce(max(id), 0) + 1, false) from messages`,
      )
      await client.query(`update settings set value = $1 where name = 'signing secret'`, [
        settings.signing_secret,
      ])
      await client.query('commit')
    })
  } finally {
    await world?.close()
    await connections.close()
  }
}

async function restoreShared(from: string, to: string, onProgress: OnProgress): Promise<void> {
  const names = new Set(await readdir(from))
  const strange = (await readdir(to)).find((name) => !names.has(name.replace(/\.partial$/, '')))
  if (strange !== undefined)
    throw conflict(
      `${to} has a file ${strange} that is not of this backup, and a backup is restored into an empty folder only. Name another with --objects.`,
    )
  let done = 0
  for (const name of names) {
    if (!(await copyWhole(join(from, name), join(to, name))))
      throw refused(`The backup lost its file ${name}.`)
    done += 1
    onProgress(`Restored ${done} of ${names.size} large bodies.`)
  }
  await syncFolder(to)
}

function demandEmpty({ name }: PostgresConnections, rows: number | null): void {
  if (rows !== null && rows > 0)
    throw conflict(
      `The world in ${name} is not empty, and a backup is restored into an empty world only. Name another database, or another schema with ?schema= in the address.`,
    )
}

async function countRows(connections: PostgresConnections, client?: RowsClient): Promise<number | null> {
  const query = (statement: string) =>
    client === undefined
      ? ask(connections, statement)
      : client.query(statement).then(({ rows }) => rows as Row[])
  const [found] = await query(
    `select count(*)::integer as count from information_schema.tables
     where table_schema = '${connections.schema}' and table_name in ('settings', 'ledger', 'objects', 'messages')`,
  )
  if (found?.count !== 4) return null
  const [row] = await query(
    'select (select count(*) from ledger) + (select count(*) from objects) + (select count(*) from messages) as count',
  )
  return Number(row?.count)
}

async function readSettings(connections: PostgresConnections): Promise<z.infer<typeof settingsSchema>> {
  const [row] = await ask(
    connections,
    `select (select max(version) from migrations) as schema,
       (select value from settings where name = 'signing secret') as signing_secret`,
  )
  return settingsSchema.parse(row)
}

type Row = Record<string, unknown>

async function ask(
  connections: PostgresConnections,
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const { rows } = await connections.run('look', (query) => query.query<Row>(statement, values))
  return rows
}

async function withClient<Result>(
  connections: PostgresConnections,
  doing: string,
  work: (client: RowsClient) => Promise<Result>,
): Promise<Result> {
  const client = connections.connect()
  // A lost connection fails the statement under way, or the next one.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
    return await work(client)
  } catch (error) {
    throw postgresError(error, doing, connections.name)
  } finally {
    await client.end().catch(() => undefined)
  }
}

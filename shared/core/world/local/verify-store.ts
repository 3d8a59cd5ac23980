import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { BodyFiles } from './body-files.ts'
import { sumsOf } from './body-sums.ts'
import { isBodyWhole } from './local-objects.ts'
import { crcOf, type ObjectRow } from './object-rows.ts'
import { messageFault, messageName, type StoredMessage } from './queue-rows.ts'
import { itemCrcs, messageCrcs } from './row-crc.ts'
import { prepareSchema } from './schema.ts'
import { storageError } from './storage-error.ts'
import { every, indexedKeys, mendIndexes } from './verify-indexes.ts'

export interface FoundDamage {
  kind: 'object' | 'item' | 'message' | 'database'
  name: string
  why: string
}

export interface VerifiedStore {
  objects: number
  items: number
  damage: FoundDamage[]
  sums_added: number
  reindexed: boolean
}

type Row = Record<string, SQLInputValue>

const restEvery = 200
/** Rows between two known ones: beside a damaged row id, which may be any number, the gap is larger. */
const largestGap = 10_000

/**
 * Reads the whole database and all bodies of a data folder that no process has open, and compares them with their
 * checksums. Rebuilds indexes that do not lead to all rows, and adds checksums to sound rows of older versions.
 * @throws EspalierError `storage_failed` if the database cannot be opened
 */
export async function verifyStore(
  folder: string,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<VerifiedStore> {
  const path = join(folder, 'espalier.db')
  const files = new BodyFiles(join(folder, 'bodies'))
  let sqlite: DatabaseSync | undefined
  try {
    sqlite = new DatabaseSync(path, { timeout: 5000 })
    prepareSchema(sqlite, path)
    return await verifyTables(sqlite, files, onProgress)
  } catch (error) {
    throw storageError(error, 'open', path)
  } finally {
    sqlite?.close()
  }
}

async function verifyTables(
  sqlite: DatabaseSync,
  files: BodyFiles,
  onProgress: (done: number, total: number) => void,
): Promise<VerifiedStore> {
  const found: VerifiedStore = { objects: 0, items: 0, damage: [], sums_added: 0, reindexed: false }
  found.reindexed = mendIndexes(sqlite, found.damage)
  const keys = new Map(indexedKeys(sqlite).map(({ key, id }) => [id, key]))
  const rowids = rowidsOf(sqlite, keys, found.damage)
  const items = every(sqlite, 'select partition, sort from ledger', found.damage)
  const total = rowids.size + items.length
  const step = async () => {
    const done = found.objects + found.items
    onProgress(done, total)
    if (done % restEvery === 0) await setImmediate()
  }
  for (const id of rowids) {
    await verifyObject(sqlite, files, { id, key: keys.get(id) ?? null }, found)
    found.objects += 1
    await step()
  }
  for (const key of items) {
    verifyItem(sqlite, key, found)
    found.items += 1
    await step()
  }
  for (const { id } of every(sqlite, 'select id from messages', found.damage))
    verifyMessage(sqlite, id, found)
  return found
}

/**
 * Damaged pages end a scan from either side. The index leads to rows between, and rows that it has lost are looked for
 * one by one.
 */
function rowidsOf(
  sqlite: DatabaseSync,
  keys: ReadonlyMap<number, string>,
  damage: FoundDamage[],
): Set<number> {
  const scan = 'select rowid as id from objects not indexed'
  const known = damage.length
  const forward = every(sqlite, scan, damage)
  const isBrokenOff = damage.length > known
  const backward = isBrokenOff ? every(sqlite, `${scan} order by rowid desc`, []) : []
  const rowids = new Set([...[...forward, ...backward].map(({ id }) => Number(id)), ...keys.keys()])
  if (!isBrokenOff) return rowids
  let before = 0
  for (const id of [...rowids].sort((one, other) => one - other)) {
    if (id - before <= largestGap)
      for (let between = before + 1; between < id; between += 1) rowids.add(between)
    before = id
  }
  return rowids
}

/** @param key the key by which the index leads to the row; null if it does not */
async function verifyObject(
  sqlite: DatabaseSync,
  files: BodyFiles,
  { id, key }: { id: number; key: string | null },
  found: VerifiedStore,
): Promise<void> {
  const note = (name: string, why: string) => void found.damage.push({ kind: 'object', name, why })
  let row: (ObjectRow & { crc: number | null }) | undefined
  try {
    const columns = 'key, size, etag, content_type, file, sums, crc, body'
    row = sqlite.prepare(`select ${columns} from objects where rowid = ?`).get(id) as unknown as typeof row
  } catch (error) {
    if (key !== null) return note(key, String(error))
    return void found.damage.push({ kind: 'database', name: `row ${id} of the objects`, why: String(error) })
  }
  if (row === undefined) return key === null ? undefined : note(key, 'its row is lost')
  if (row.crc !== null && row.crc !== crcOf(row)) {
    // One of the two copies of its key may be damaged.
    for (const name of new Set([key ?? String(row.key), String(row.key)]))
      note(name, 'its row is not what was written')
    return
  }
  if (!leadsTo(sqlite, row.key, id)) return note(row.key, 'the index of the objects does not lead to it')
  const body = row.file === null ? row.body : await readWhole(files, row)
  if (body === null) return note(row.key, 'its file in "bodies" is missing or too short')
  if (!isBodyWhole(row, body)) return note(row.key, 'its body is not what was written')
  if (row.crc !== null) return
  const sums = sumsOf(body)
  sqlite
    .prepare('update objects set sums = ?, crc = ? where rowid = ?')
    .run(sums, crcOf({ ...row, sums }), id)
  found.sums_added += 1
}

function leadsTo(sqlite: DatabaseSync, key: string, id: number): boolean {
  try {
    return Number(sqlite.prepare('select rowid as id from objects where key = ?').get(key)?.id) === id
  } catch {
    return false
  }
}

function readWhole(files: BodyFiles, { file, size }: ObjectRow): Promise<Uint8Array | null> {
  return files.read(String(file), 0, Number(size))
}

function verifyItem(sqlite: DatabaseSync, { partition = '', sort = '' }: Row, found: VerifiedStore): void {
  const where = 'where partition = ? and sort = ?'
  const note = (why: string) => found.damage.push({ kind: 'item', name: `${partition} ${sort}`, why })
  try {
    const row = sqlite
      .prepare(`select item, expires_at, key_crc, crc from ledger ${where}`)
      .get(partition, sort)
    if (row === undefined) return void note('it does not stand where its key belongs')
    const until = row.expires_at === null ? null : Number(row.expires_at)
    const key = { partition: String(partition), sort: String(sort) }
    const sums = itemCrcs(key, String(row.item), until)
    if (row.crc === null) {
      JSON.parse(String(row.item))
      sqlite
        .prepare(`update ledger set key_crc = ?, crc = ? ${where}`)
        .run(sums.key, sums.whole, partition, sort)
      found.sums_added += 1
    } else if (row.key_crc !== sums.key) note('its key is not what was written')
    else if (row.crc !== sums.whole) note('it is not what was written')
  } catch (error) {
    note(String(error))
  }
}

function verifyMessage(sqlite: DatabaseSync, id: SQLInputValue | undefined, found: VerifiedStore): void {
  const note = (name: string, why: string) => found.damage.push({ kind: 'message', name, why })
  try {
    const columns = 'id, queue, group_name, group_crc, body, crc'
    const row = sqlite.prepare(`select ${columns} from messages where id = ?`).get(id ?? null)
    if (row === undefined) return void note(`message ${id}`, 'its row is lost')
    const message = row as unknown as StoredMessage
    const { queue, group_name, body, crc } = message
    const fault = messageFault(message)
    if (fault !== null) {
      const name = messageName({ id: message.id, queue, group: fault === 'group' ? '' : group_name })
      note(name, 'it is not what was written; the service replaces it')
    } else if (crc === null) {
      const sums = messageCrcs(queue, group_name, body)
      const set = 'update messages set group_crc = ?, crc = ? where id = ?'
      sqlite.prepare(set).run(sums.group, sums.whole, message.id)
      found.sums_added += 1
    }
  } catch (error) {
    note(`message ${id}`, String(error))
  }
}

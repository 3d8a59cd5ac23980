import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { BodyFiles } from './body-files.ts'
import { sumsOf } from './body-sums.ts'
import { isBodyWhole } from './local-objects.ts'
import { crcOf, type ObjectRow } from './object-rows.ts'
import { itemCrcs } from './row-crc.ts'
import { prepareSchema } from './schema.ts'
import { storageError } from './storage-error.ts'

export interface FoundDamage {
  kind: 'object' | 'item' | 'database'
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
const mostLines = 100

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
  const rowids = every(sqlite, 'select rowid as id from objects not indexed', found.damage)
  const items = every(sqlite, 'select partition, sort from ledger', found.damage)
  const total = rowids.length + items.length
  const step = async () => {
    const done = found.objects + found.items
    onProgress(done, total)
    if (done % restEvery === 0) await setImmediate()
  }
  for (const { id } of rowids) {
    await verifyObject(sqlite, files, Number(id), found)
    found.objects += 1
    await step()
  }
  for (const key of items) {
    verifyItem(sqlite, key, found)
    found.items += 1
    await step()
  }
  return found
}

/** SQLite's own check. Entries that an index lacks are in its table, so the index is rebuilt. */
function mendIndexes(sqlite: DatabaseSync, damage: FoundDamage[]): boolean {
  const check = () =>
    every(sqlite, `pragma integrity_check(${mostLines})`, damage).map((row) => String(row.integrity_check))
  const isIndex = (line: string) =>
    /missing from index|wrong # of entries in index|non-unique entry in index/.test(line)
  let lines = check()
  const reindexed = lines.some(isIndex)
  if (reindexed) {
    const keys = keysOfIndex(sqlite)
    try {
      sqlite.exec('reindex')
      for (const { id, key } of keys)
        sqlite.prepare('update objects set key = ? where rowid = ?').run(key, id)
      lines = check()
    } catch {
      // The lines already have its message.
    }
  }
  for (const line of lines)
    if (line !== 'ok') damage.push({ kind: 'database', name: 'espalier.db', why: line })
  return reindexed
}

function keysOfIndex(sqlite: DatabaseSync): { id: number; key: string }[] {
  const columns = 'o.key, o.size, o.etag, o.content_type, o.file, o.sums, o.crc'
  const query = `select i.key as indexed, o.rowid as id, ${columns} from objects i join objects o on o.rowid = i.rowid`
  const rows = every(sqlite, query, []) as unknown as (ObjectRow & {
    crc: number
    indexed: string
    id: number
  })[]
  return rows
    .filter(({ indexed, ...row }) => indexed !== row.key && crcOf({ ...row, key: indexed }) === row.crc)
    .map(({ id, indexed }) => ({ id, key: indexed }))
}

async function verifyObject(
  sqlite: DatabaseSync,
  files: BodyFiles,
  id: number,
  found: VerifiedStore,
): Promise<void> {
  let row: (ObjectRow & { crc: number | null }) | undefined
  try {
    const columns = 'key, size, etag, content_type, file, sums, crc, body'
    row = sqlite.prepare(`select ${columns} from objects where rowid = ?`).get(id) as unknown as typeof row
  } catch (error) {
    found.damage.push({ kind: 'database', name: `row ${id} of the objects`, why: String(error) })
    return
  }
  if (row === undefined) return
  const note = (why: string) => found.damage.push({ kind: 'object', name: String(row.key), why })
  if (row.crc !== null && row.crc !== crcOf(row)) return void note('its row is not what was written')
  const body = row.file === null ? row.body : await readWhole(files, row)
  if (body === null) return void note('its file in "bodies" is missing or too short')
  if (!isBodyWhole(row, body)) return void note('its body is not what was written')
  if (row.crc !== null) return
  const sums = sumsOf(body)
  sqlite
    .prepare('update objects set sums = ?, crc = ? where rowid = ?')
    .run(sums, crcOf({ ...row, sums }), id)
  found.sums_added += 1
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

function every(sqlite: DatabaseSync, query: string, damage: FoundDamage[]): Row[] {
  const rows: Row[] = []
  try {
    for (const row of sqlite.prepare(query).iterate()) rows.push(row as Row)
  } catch (error) {
    damage.push({ kind: 'database', name: 'espalier.db', why: `${query}: ${String(error)}` })
  }
  return rows
}

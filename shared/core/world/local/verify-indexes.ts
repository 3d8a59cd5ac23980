import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { crcOf, type ObjectRow } from './object-rows.ts'
import type { FoundDamage } from './verify-store.ts'

type Row = Record<string, SQLInputValue>
type Entry = { key: string; id: number }

const mostLines = 100
const columns = 'key, size, etag, content_type, file, sums, crc'

/**
 * SQLite's own check. Entries that an index lacks are in its table, so the index is made anew, unless it alone still has the keys of rows
 * that its table has lost.
 *
 * @returns whether an index was made anew
 */
export function mendIndexes(sqlite: DatabaseSync, damage: FoundDamage[]): boolean {
  const check = () =>
    every(sqlite, `pragma integrity_check(${mostLines})`, damage).map((row) => String(row.integrity_check))
  const isIndex = (line: string) =>
    /missing from index|wrong # of entries in index|non-unique entry in index/.test(line)
  let lines = check()
  const reindexed = lines.some(isIndex) && reindex(sqlite)
  if (reindexed) lines = check()
  for (const line of lines)
    if (line !== 'ok') damage.push({ kind: 'database', name: 'espalier.db', why: line })
  return reindexed
}

export function indexedKeys(sqlite: DatabaseSync): Entry[] {
  const query =
    "select key, rowid as id from objects indexed by sqlite_autoindex_objects_1 where key >= '' order by key"
  const forward = every(sqlite, query, [])
  const backward = every(sqlite, `${query} desc`, [])
  const found = new Map([...forward, ...backward].map(({ key, id }) => [String(key), Number(id)]))
  return [...found].map(([key, id]) => ({ key, id }))
}

function reindex(sqlite: DatabaseSync): boolean {
  const before = indexedKeys(sqlite)
  try {
    sqlite.exec('begin immediate; reindex')
    const isLost = before.some((entry) => !mendKey(sqlite, entry)) || hasNameless(sqlite, before)
    sqlite.exec(isLost ? 'rollback' : 'commit')
    return !isLost
  } catch {
    // Its words are in the lines of the check already.
    if (sqlite.isTransaction) sqlite.exec('rollback')
    return false
  }
}

/** Gives a row its key back that only the old index has. @returns false if the new index leads to no row of the entry */
function mendKey(sqlite: DatabaseSync, { key, id }: Entry): boolean {
  if (sqlite.prepare('select 1 from objects where key = ?').get(key) !== undefined) return true
  const row = sqlite.prepare(`select ${columns} from objects where rowid = ?`).get(id) as unknown as
    | (ObjectRow & { crc: number | null })
    | undefined
  if (row === undefined) return false
  // The entry of the old index was damaged, and the row was not.
  if (row.crc === crcOf(row)) return true
  if (row.crc !== crcOf({ ...row, key })) return false
  sqlite.prepare('update objects set key = ? where rowid = ?').run(key, id)
  return true
}

/**
 * True if a damaged row had no entry in the old index. Its key may be damaged too: a new index would make the object
 * absent, and the damaged one does not.
 */
function hasNameless(sqlite: DatabaseSync, before: readonly Entry[]): boolean {
  const named = new Set(before.map(({ id }) => id))
  const rows = every(sqlite, `select rowid as id, ${columns} from objects not indexed`, [])
  return (rows as unknown as (ObjectRow & { id: number; crc: number | null })[]).some(
    (row) => row.crc !== null && row.crc !== crcOf(row) && !named.has(row.id),
  )
}

export function every(sqlite: DatabaseSync, query: string, damage: FoundDamage[]): Row[] {
  const rows: Row[] = []
  try {
    for (const row of sqlite.prepare(query).iterate()) rows.push(row as Row)
  } catch (error) {
    damage.push({ kind: 'database', name: 'espalier.db', why: `${query}: ${String(error)}` })
  }
  return rows
}

import type { StatementSync } from 'node:sqlite'
import type { DamageBook } from '../damage-book.ts'
import type { ObjectInfo, PutOptions } from '../ports.ts'
import type { Database } from './database.ts'
import { compareBytes, keyRange } from './key-range.ts'
import { rowCrc } from './row-crc.ts'
import { isDamaged } from './storage-error.ts'
import type { TreeCheck } from './tree-check.ts'

export interface ObjectRow extends ObjectInfo {
  content_type: string | null
  file: string | null
  /** Checksums of the body's chunks; null in rows of version 2. */
  sums: Uint8Array | null
  body: Uint8Array | null
}

type Header = Omit<ObjectRow, 'body'> & { crc: number | null }
type Listed = Header & { indexed: string }
interface Entry {
  indexed: string
  key: string | null
}

const columns = 'key, size, etag, content_type, file, sums, crc'
const listed = ['key', 'size', 'etag', 'content_type', 'file', 'sums', 'crc']
  .map((column) => `o.${column}`)
  .join(', ')

/**
 * The table of objects. Call it within the database's `read` and `write`. A row's header has a checksum, compared on
 * every read. An absent key is believed only if the index leads to sound neighbours on both sides of it, and the
 * table's pages are whole.
 */
export class ObjectRows {
  readonly #damage: DamageBook
  readonly #trees: TreeCheck
  readonly #find: StatementSync
  readonly #info: StatementSync
  readonly #place: StatementSync
  readonly #delete: StatementSync
  readonly #from: StatementSync
  readonly #before: StatementSync
  readonly #behind: StatementSync
  readonly #refers: StatementSync
  readonly #filed: StatementSync

  constructor(database: Database, damage: DamageBook, trees: TreeCheck) {
    this.#damage = damage
    this.#trees = trees
    this.#find = database.prepare(`select ${columns}, body from objects where key = ?`)
    this.#info = database.prepare(`select ${columns} from objects where key = ?`)
    this.#place = database.prepare(
      `insert into objects (${columns}, body) values (?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (key) do update set size = excluded.size, etag = excluded.etag,
         content_type = excluded.content_type, file = excluded.file, sums = excluded.sums, crc = excluded.crc,
         body = excluded.body`,
    )
    this.#delete = database.prepare('delete from objects where key = ? returning file')
    // Reads the index and the rows side by side, so that each is compared with the other. A row may be unreachable.
    const scan = `select i.key as indexed, ${listed} from objects i left join objects o on o.rowid = i.rowid where i.key`
    this.#from = database.prepare(`${scan} >= ? order by i.key limit ?`)
    const keys =
      'select i.key as indexed, o.key from objects i left join objects o on o.rowid = i.rowid where i.key'
    this.#before = database.prepare(`${keys} < ? order by i.key desc limit 1`)
    this.#behind = database.prepare(`${keys} > ? order by i.key limit 1`)
    this.#refers = database.prepare('select 1 from objects where file = ?')
    this.#filed = database.prepare(`select ${columns} from objects not indexed where file is not null`)
  }

  /** @throws EspalierError `damaged_object`: the row, or its neighbours */
  find(key: string): ObjectRow | null {
    const row = this.#find.get(key) as unknown as (Header & { body: Uint8Array | null }) | undefined
    return this.#sound(key, row)
  }

  info(key: string): ObjectInfo | null {
    const row = this.#header(key)
    return row && { key: row.key, size: row.size, etag: row.etag }
  }

  /** @throws EspalierError `damaged_object`: one of the rows, or its neighbours */
  list(prefix: string, after: string | undefined, limit: number): ObjectInfo[] {
    const { lower, upper } = keyRange(prefix, after)
    const end = typeof upper === 'string' ? upper : null
    const found: ObjectInfo[] = []
    this.#trees.confirm('objects')
    let previous = this.#checkBefore(lower)
    for (const row of this.#from.iterate(lower, limit + 1) as Iterable<unknown> as Iterable<Listed>) {
      previous = this.#follows(row, previous)
      if (found.length === limit || (end !== null && !isBefore(row.key, end))) break
      found.push({ key: row.key, size: row.size, etag: row.etag })
    }
    return found
  }

  /** @returns whether the condition held, and a file that is now unused: the replaced body's, or this one's own. */
  place(row: ObjectRow, condition: PutOptions): { written: boolean; unused: string | null } {
    // A body that replaces any present one repairs damage.
    const isPlain = condition.if_match === undefined && condition.if_none_match === undefined
    const there = isPlain ? (this.#info.get(row.key) as unknown as Header | undefined) : undefined
    const current = isPlain ? (there !== undefined && isSound(there) ? there : null) : this.#header(row.key)
    if (!allows(current, condition)) return { written: false, unused: row.file }
    const { key, size, etag, content_type, file, sums, body } = row
    this.#place.run(key, size, etag, content_type, file, sums, crcOf(row), body)
    return { written: true, unused: current?.file ?? null }
  }

  delete(key: string): string | null {
    return (this.#delete.get(key) as unknown as { file: string | null } | undefined)?.file ?? null
  }

  /** An index that cannot be read may refer to any file. */
  refersTo(file: string): boolean {
    return unlessDamaged(() => this.#refers.get(file) !== undefined) ?? true
  }

  /** Null if a row is damaged or may be hidden: its file is then unknown. */
  files(): Set<string> | null {
    if (!this.#trees.isWhole('objects')) return null
    return unlessDamaged(() => {
      const rows = [...(this.#filed.iterate() as Iterable<unknown> as Iterable<Header>)]
      return rows.every(isSound) ? new Set(rows.flatMap(({ file }) => file ?? [])) : null
    })
  }

  #header(key: string): Header | null {
    return this.#sound(key, this.#info.get(key) as unknown as Header | undefined)
  }

  #sound<Row extends Header>(key: string, row: Row | undefined): Row | null {
    if (row === undefined) {
      this.#checkAbsent(key)
      return null
    }
    if (row.key !== key || !isSound(row))
      throw this.#damage.note(objectName(key), 'its row is not what was written')
    return row
  }

  /** A damaged entry of the index is no longer at the position of its key, but next to it. */
  #checkAbsent(key: string): void {
    this.#checkBefore(key)
    const next = this.#behind.get(key) as unknown as Entry | undefined
    if (next !== undefined && (next.indexed !== next.key || !isBefore(key, next.key)))
      throw this.#misplaced(next)
    this.#trees.confirm('objects')
  }

  #checkBefore(key: string): string | null {
    const entry = this.#before.get(key) as unknown as Entry | undefined
    if (entry === undefined) return null
    if (entry.indexed !== entry.key || !isBefore(entry.key, key)) throw this.#misplaced(entry)
    return entry.key
  }

  #follows(row: Listed, previous: string | null): string {
    if (row.key === null || !isSound(row))
      throw this.#damage.note(objectName(row.indexed), 'its row is not what was written')
    if (row.indexed !== row.key || (previous !== null && !isBefore(previous, row.key)))
      throw this.#misplaced(row)
    return row.key
  }

  #misplaced({ key, indexed }: Entry): Error {
    return this.#damage.note(objectName(key ?? indexed), 'the index of the objects does not lead to it')
  }
}

export function crcOf({ key, size, etag, content_type, file, sums }: Omit<ObjectRow, 'body'>): number {
  return rowCrc([key, size, etag, content_type, file], sums)
}

function unlessDamaged<Found>(read: () => Found): Found | null {
  try {
    return read()
  } catch (error) {
    if (isDamaged(error)) return null
    throw error
  }
}

function isSound(row: Header): boolean {
  return row.crc === null || row.crc === crcOf(row)
}

export function objectName(key: string): string {
  return `the object "${key}"`
}

function isBefore(one: string, other: string): boolean {
  return compareBytes(one, other) < 0
}

export function allows(current: { etag: string } | null, condition: PutOptions): boolean {
  if (condition.if_none_match !== undefined && current !== null) return false
  return condition.if_match === undefined || current?.etag === condition.if_match
}

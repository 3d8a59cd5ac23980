import type { StatementSync } from 'node:sqlite'
import type { ObjectInfo, PutOptions } from '../ports.ts'
import type { Database } from './database.ts'
import { keyRange } from './key-range.ts'

/** An object as it is stored: its body in the row, or the name of the file that holds it. */
export interface ObjectRow extends ObjectInfo {
  content_type: string | null
  file: string | null
  body: Uint8Array | null
}

/** The table of objects. Call it within the database's `read` and `write`. */
export class ObjectRows {
  readonly #find: StatementSync
  readonly #info: StatementSync
  readonly #place: StatementSync
  readonly #delete: StatementSync
  readonly #list: StatementSync
  readonly #refers: StatementSync

  constructor(database: Database) {
    this.#find = database.prepare(
      'select key, size, etag, content_type, file, body from objects where key = ?',
    )
    this.#info = database.prepare('select key, size, etag, file from objects where key = ?')
    this.#place = database.prepare(
      `insert into objects (key, size, etag, content_type, file, body) values (?, ?, ?, ?, ?, ?)
       on conflict (key) do update set size = excluded.size, etag = excluded.etag,
         content_type = excluded.content_type, file = excluded.file, body = excluded.body`,
    )
    this.#delete = database.prepare('delete from objects where key = ? returning file')
    this.#list = database.prepare(
      'select key, size, etag from objects where key >= ? and key < ? order by key limit ?',
    )
    this.#refers = database.prepare('select 1 from objects where file = ?')
  }

  find(key: string): ObjectRow | null {
    return (this.#find.get(key) as unknown as ObjectRow | undefined) ?? null
  }

  info(key: string): ObjectInfo | null {
    const row = this.#info.get(key) as unknown as ObjectInfo | undefined
    return row === undefined ? null : { key: row.key, size: row.size, etag: row.etag }
  }

  list(prefix: string, after: string | undefined, limit: number): ObjectInfo[] {
    const { lower, upper } = keyRange(prefix, after)
    const rows = this.#list.all(lower, upper, limit) as unknown as ObjectInfo[]
    return rows.map(({ key, size, etag }) => ({ key, size, etag }))
  }

  /** @returns whether the condition held, and a file that is now of no use: the replaced body's, or this one's own. */
  place(row: ObjectRow, condition: PutOptions): { written: boolean; unused: string | null } {
    const current = this.#info.get(row.key) as unknown as { etag: string; file: string | null } | undefined
    if (!allows(current ?? null, condition)) return { written: false, unused: row.file }
    this.#place.run(row.key, row.size, row.etag, row.content_type, row.file, row.body)
    return { written: true, unused: current?.file ?? null }
  }

  /** @returns the file of the deleted body, now of no use */
  delete(key: string): string | null {
    return (this.#delete.get(key) as unknown as { file: string | null } | undefined)?.file ?? null
  }

  refersTo(file: string): boolean {
    return this.#refers.get(file) !== undefined
  }
}

/** Whether a put may replace what is stored now. */
export function allows(current: { etag: string } | null, condition: PutOptions): boolean {
  if (condition.if_none_match !== undefined && current !== null) return false
  return condition.if_match === undefined || current?.etag === condition.if_match
}

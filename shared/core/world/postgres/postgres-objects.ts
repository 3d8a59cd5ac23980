import { hash, randomUUID } from 'node:crypto'
import { byteRange } from '../byte-range.ts'
import { checkKey } from '../check-key.ts'
import type { DamageBook } from '../damage-book.ts'
import type { BodyFiles } from '../local/body-files.ts'
import { chunksAround, sumsHold, sumsOf } from '../local/body-sums.ts'
import { keyRange } from '../local/key-range.ts'
import { signAddress } from '../local/signed-address.ts'
import type { ObjectInfo, Objects, PutOptions, StoredObject } from '../ports.ts'
import { systemClock } from '../system-clock.ts'
import type { PostgresConnections } from './postgres-connections.ts'

/** From this size on a body is a file in the shared folder. Bytes. */
const largeBody = 64 * 1024
const defaultLimit = 1000
/** Looks for a file that another machine has written, whose folder this one may have cached. */
const looks = 4

type PutResult = { written: true; etag: string } | { written: false }
type Range = { start: number; end?: number }

interface ObjectRow {
  key: string
  etag: string
  size: string
  content_type: string | null
  file: string | null
  sums: Uint8Array
  body: Uint8Array | null
}

/**
 * Objects in rows, with large bodies beside them in files of a folder that all machines share. The database decides
 * which of several writers creates a key. Bodies are compared with their checksums on every read.
 */
export class PostgresObjects implements Objects {
  readonly #connections: PostgresConnections
  readonly #files: BodyFiles
  readonly #secret: Uint8Array
  readonly #damage: DamageBook

  constructor(
    connections: PostgresConnections,
    { files, secret, damage }: { files: BodyFiles; secret: Uint8Array; damage: DamageBook },
  ) {
    this.#connections = connections
    this.#files = files
    this.#secret = secret
    this.#damage = damage
  }

  async put(key: string, body: Uint8Array, options: PutOptions = {}): Promise<PutResult> {
    checkKey('the key of an object', key, 1024)
    const kept = body.byteLength < largeBody
    if (!kept && !allows(await this.head(key), options)) return { written: false }
    const etag = hash('sha256', body)
    const file = kept ? null : await this.#files.write(body)
    const values = [
      key,
      etag,
      body.byteLength,
      options.content_type ?? null,
      file,
      Buffer.from(sumsOf(body)),
      kept ? Buffer.from(body) : null,
      randomUUID(),
    ]
    const { written, unused } = await this.#place(key, values, options)
    if (unused !== null) await this.#files.remove(unused)
    return written ? { written, etag } : { written }
  }

  async get(key: string, range?: Range): Promise<StoredObject | null> {
    for (let look = 1; ; look += 1) {
      const row = await this.#find(key)
      if (row === null) return null
      const size = Number(row.size)
      const { offset, length } = byteRange(size, range)
      if (row.body !== null) {
        const isWhole = row.body.byteLength === size && sumsHold(row.body, { first: 0, size, sums: row.sums })
        if (!isWhole) throw this.#changed(key)
        return stored(row, row.body.slice(offset, offset + length))
      }
      const { first, start, bytes } = chunksAround(size, offset, length)
      const part = await this.#files.read(row.file ?? '', start, bytes)
      if (part !== null) {
        if (length > 0 && !sumsHold(part, { first, size, sums: row.sums })) throw this.#changed(key)
        return stored(row, part.slice(offset - start, offset - start + length))
      }
      // Replaced meanwhile, or not yet visible on this machine.
      if (look === looks)
        throw this.#damage.note(
          `the object "${key}"`,
          `its file is missing in the shared folder or too short (${row.file})`,
        )
      await systemClock.sleep(100 * look)
    }
  }

  async head(key: string): Promise<ObjectInfo | null> {
    const { rows } = await this.#connections.run(`look up "${key}"`, (query) =>
      query.query<InfoRow>('select key, size, etag from objects where key = $1', [key]),
    )
    return rows[0] === undefined ? null : infoOf(rows[0])
  }

  async list(
    prefix: string,
    { after, limit = defaultLimit }: { after?: string; limit?: number } = {},
  ): Promise<{ objects: ObjectInfo[]; more: boolean }> {
    const { lower, upper } = keyRange(prefix, after)
    const [compare, from] = lower.endsWith('\u0000') ? ['>', lower.slice(0, -1)] : ['>=', lower]
    const { rows } = await this.#connections.run(`list "${prefix}"`, (query) =>
      query.query<InfoRow>(
        `select key, size, etag from objects
         where key ${compare} $1 and ($2::text is null or key < $2) order by key limit $3`,
        [from, typeof upper === 'string' ? upper : null, limit + 1],
      ),
    )
    return { objects: rows.slice(0, limit).map(infoOf), more: rows.length > limit }
  }

  async delete(key: string): Promise<void> {
    const { rows } = await this.#connections.run(`delete "${key}"`, (query) =>
      query.query<{ file: string | null }>('delete from objects where key = $1 returning file', [key]),
    )
    const file = rows[0]?.file ?? null
    if (file !== null) await this.#files.remove(file)
  }

  async sign(
    key: string,
    { expires_in, file_name = null }: { expires_in: number; file_name?: string | null },
  ): Promise<{ url: string; expires_at: Date }> {
    const expires = Math.ceil(Date.now() / 1000 + expires_in)
    return {
      url: signAddress(this.#secret, { key, file_name }, expires),
      expires_at: new Date(expires * 1000),
    }
  }

  async #find(key: string): Promise<ObjectRow | null> {
    const { rows } = await this.#connections.run(`read "${key}"`, (query) =>
      query.query<ObjectRow>(
        'select key, etag, size, content_type, file, sums, body from objects where key = $1',
        [key],
      ),
    )
    return rows[0] ?? null
  }

  async #place(
    key: string,
    values: unknown[],
    { if_match, if_none_match }: PutOptions,
  ): Promise<{ written: boolean; unused: string | null }> {
    const file = values[4] as string | null
    const stamp = values[7]
    const insert = `insert into objects (key, etag, size, content_type, file, sums, body, stamp)
      values ($1, $2, $3, $4, $5, $6, $7, $8)`
    const old = 'with old as (select file from objects where key = $1 for update)'
    const fileOfOld = '(select file from old) as unused'
    const statement =
      if_match !== undefined
        ? `${old} update objects
           set etag = $2, size = $3, content_type = $4, file = $5, sums = $6, body = $7, stamp = $8
           where key = $1 and etag = $9 and exists (select 1 from old) returning ${fileOfOld}`
        : if_none_match !== undefined
          ? `${insert} on conflict do nothing returning null as unused`
          : `${old} ${insert} on conflict (key) do update set etag = excluded.etag, size = excluded.size,
             content_type = excluded.content_type, file = excluded.file, sums = excluded.sums,
             body = excluded.body, stamp = excluded.stamp returning ${fileOfOld}`
    return this.#connections.run(`write "${key}"`, async (query, tries) => {
      const { rows } = await query.query<{ unused: string | null }>(
        statement,
        if_match === undefined ? values : [...values, if_match],
      )
      const [row] = rows
      // A retried write may replace itself.
      if (row !== undefined) return { written: true, unused: row.unused === file ? null : row.unused }
      if (tries === 1) return { written: false, unused: file }
      // An earlier try may have written the row, with its answer lost. Its file stays in any case.
      const own = await query.query('select 1 from objects where key = $1 and stamp = $2', [key, stamp])
      return { written: own.rows.length > 0, unused: null }
    })
  }

  #changed(key: string): Error {
    return this.#damage.note(`the object "${key}"`, 'its body is not what was written')
  }
}

type InfoRow = Pick<ObjectRow, 'key' | 'size' | 'etag'>

function infoOf({ key, size, etag }: InfoRow): ObjectInfo {
  return { key, size: Number(size), etag }
}

function allows(current: ObjectInfo | null, { if_match, if_none_match }: PutOptions): boolean {
  if (if_none_match !== undefined) return current === null
  return if_match === undefined || current?.etag === if_match
}

function stored({ key, size, etag, content_type }: ObjectRow, body: Uint8Array): StoredObject {
  return { key, size: Number(size), etag, content_type, body: new Uint8Array(body) }
}

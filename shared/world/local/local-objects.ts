import { hash } from 'node:crypto'
import { EspalierError } from '../../contracts/errors.ts'
import { byteRange } from '../byte-range.ts'
import { checkKey } from '../check-key.ts'
import type { ObjectInfo, Objects, PutOptions, StoredObject } from '../ports.ts'
import { worldClosed } from '../world-closed.ts'
import type { BodyFiles } from './body-files.ts'
import type { Database } from './database.ts'
import { allows, type ObjectRow, type ObjectRows } from './object-rows.ts'
import { signAddress } from './signed-address.ts'

/** From this size on a body is a file of its own. Below it SQLite is faster, and writes join a group. Bytes. */
const largeBody = 64 * 1024
const defaultLimit = 1000

type PutResult = { written: true; etag: string } | { written: false }
type Range = { start: number; end?: number }

/** Objects in SQLite rows, with large bodies beside them in files. */
export class LocalObjects implements Objects {
  readonly #database: Database
  readonly #rows: ObjectRows
  readonly #files: BodyFiles
  readonly #secret: Uint8Array
  readonly #underWay = new Set<Promise<unknown>>()
  #closed = false

  constructor(database: Database, rows: ObjectRows, files: BodyFiles, secret: Uint8Array) {
    this.#database = database
    this.#rows = rows
    this.#files = files
    this.#secret = secret
  }

  async put(key: string, body: Uint8Array, options: PutOptions = {}): Promise<PutResult> {
    checkKey('the key of an object', key, 1024)
    if (body.byteLength >= largeBody) return this.#track(() => this.#putLarge(key, body, options))
    return this.#place(rowOf(key, body, hash('sha256', body), options, null), options)
  }

  async get(key: string, range?: Range): Promise<StoredObject | null> {
    const row = this.#database.read(() => this.#rows.find(key))
    if (row === null) return null
    if (row.body === null) return this.#track(() => this.#getLarge(row, range))
    const { offset, length } = byteRange(row.size, range)
    return stored(row, length === row.size ? row.body : row.body.slice(offset, offset + length))
  }

  async head(key: string): Promise<ObjectInfo | null> {
    return this.#database.read(() => this.#rows.info(key))
  }

  async list(
    prefix: string,
    { after, limit = defaultLimit }: { after?: string; limit?: number } = {},
  ): Promise<{ objects: ObjectInfo[]; more: boolean }> {
    const objects = this.#database.read(() => this.#rows.list(prefix, after, limit + 1))
    return { objects: objects.slice(0, limit), more: objects.length > limit }
  }

  async delete(key: string): Promise<void> {
    const unused = await this.#database.write(() => this.#rows.delete(key))
    if (unused !== null) await this.#files.remove(unused)
  }

  async sign(
    key: string,
    { expires_in, file_name = null }: { expires_in: number; file_name?: string | null },
  ): Promise<{ url: string; expires_at: Date }> {
    const expires = Math.ceil(Date.now() / 1000 + expires_in)
    const url = signAddress(this.#secret, { key, file_name }, expires)
    return { url, expires_at: new Date(expires * 1000) }
  }

  /** Waits for the large bodies under way; the small ones are the database's to finish. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.allSettled(this.#underWay)
  }

  async #putLarge(key: string, body: Uint8Array, options: PutOptions): Promise<PutResult> {
    const current = this.#database.read(() => this.#rows.info(key))
    if (!allows(current, options)) return { written: false }
    const [digest, file] = await Promise.all([
      crypto.subtle.digest('SHA-256', body as Uint8Array<ArrayBuffer>),
      this.#files.write(body),
    ])
    try {
      return await this.#place(rowOf(key, body, Buffer.from(digest).toString('hex'), options, file), options)
    } catch (error) {
      await this.#files.remove(file)
      throw error
    }
  }

  async #place(row: ObjectRow, options: PutOptions): Promise<PutResult> {
    const { written, unused } = await this.#database.write(() => this.#rows.place(row, options))
    if (unused !== null) await this.#files.remove(unused)
    return written ? { written, etag: row.etag } : { written }
  }

  async #getLarge(row: ObjectRow, range: Range | undefined): Promise<StoredObject | null> {
    const file = row.file ?? ''
    const { offset, length } = byteRange(row.size, range)
    const body = await this.#files.read(file, offset, length)
    if (body !== null) return stored(row, body)
    const now = this.#database.read(() => this.#rows.find(row.key))
    // Replaced or deleted since its row was read, as long as the row no longer names the missing file.
    if (now?.file !== file) return this.get(row.key, range)
    throw new EspalierError(
      'storage_failed',
      `The body of "${row.key}" is missing or too short: something other than Espalier changed the folder "bodies". Restore it from a backup.`,
    )
  }

  async #track<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#closed) throw worldClosed()
    const running = work()
    this.#underWay.add(running)
    try {
      return await running
    } finally {
      this.#underWay.delete(running)
    }
  }
}

function rowOf(
  key: string,
  body: Uint8Array,
  etag: string,
  { content_type = null }: { content_type?: string | null },
  file: string | null,
): ObjectRow {
  return { key, size: body.byteLength, etag, content_type, file, body: file === null ? body : null }
}

function stored({ key, size, etag, content_type }: ObjectRow, body: Uint8Array): StoredObject {
  return { key, size, etag, content_type, body }
}

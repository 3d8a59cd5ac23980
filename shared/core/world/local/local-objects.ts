import { hash } from 'node:crypto'
import { byteRange } from '../byte-range.ts'
import { checkKey } from '../check-key.ts'
import { type DamageBook, isDamage } from '../damage-book.ts'
import type { ObjectInfo, Objects, PutOptions, StoredObject } from '../ports.ts'
import { worldClosed } from '../world-closed.ts'
import type { BodyFiles } from './body-files.ts'
import { chunksAround, sumsHold, sumsOf } from './body-sums.ts'
import type { Database } from './database.ts'
import { allows, type ObjectRow, type ObjectRows, objectName } from './object-rows.ts'
import { signAddress } from './signed-address.ts'

/** From this size on a body is a file of its own. Below it SQLite is faster, and writes join a group. Bytes. */
const largeBody = 64 * 1024
const defaultLimit = 1000

type PutResult = { written: true; etag: string } | { written: false }
type Range = { start: number; end?: number }

/**
 * Objects in SQLite rows, with large bodies beside them in files. Each body is compared with its checksums on every
 * read; those of version 2 of the storage are compared with their etag, the SHA-256 of the body.
 */
export class LocalObjects implements Objects {
  readonly #damage: DamageBook
  readonly #database: Database
  readonly #rows: ObjectRows
  readonly #files: BodyFiles
  readonly #secret: Uint8Array
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #compared = new Set<string>()
  #closed = false

  constructor(
    database: Database,
    {
      rows,
      files,
      secret,
      damage,
    }: { rows: ObjectRows; files: BodyFiles; secret: Uint8Array; damage: DamageBook },
  ) {
    this.#damage = damage
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
    const row = await this.#naming(key, () => this.#rows.find(key))
    if (row === null) return null
    if (row.body === null && row.file !== null) return this.#track(() => this.#getLarge(row, range))
    if (row.body === null || !isBodyWhole(row, row.body)) throw this.#changed(key)
    const { offset, length } = byteRange(row.size, range)
    return stored(row, length === row.size ? row.body : row.body.slice(offset, offset + length))
  }

  async head(key: string): Promise<ObjectInfo | null> {
    return this.#naming(key, () => this.#rows.info(key))
  }

  async list(
    prefix: string,
    { after, limit = defaultLimit }: { after?: string; limit?: number } = {},
  ): Promise<{ objects: ObjectInfo[]; more: boolean }> {
    const objects = await this.#database.readInTurn(() => this.#rows.list(prefix, after, limit + 1))
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

  async close(): Promise<void> {
    this.#closed = true
    await Promise.allSettled(this.#underWay)
  }

  async #putLarge(key: string, body: Uint8Array, options: PutOptions): Promise<PutResult> {
    const current = await this.#database.readInTurn(() => this.#rows.info(key))
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
    const body = await this.#readChunks(row, file, offset, length)
    if (body !== null) return stored(row, body)
    const now = await this.#naming(row.key, () => this.#rows.find(row.key))
    // Replaced or deleted since its row was read, if the row no longer names the missing file.
    if (now?.file !== file) return this.get(row.key, range)
    throw this.#damage.note(objectName(row.key), `its file in "bodies" is missing or too short (${file})`)
  }

  /** @returns null if the file is missing, or ends too early */
  async #readChunks(
    row: ObjectRow,
    file: string,
    offset: number,
    length: number,
  ): Promise<Uint8Array | null> {
    const { size, sums } = row
    if (sums === null) {
      if (!this.#compared.has(file)) {
        const digest = await this.#files.digest(file)
        if (digest === null) return null
        if (digest !== row.etag) throw this.#changed(row.key)
        this.#compared.add(file)
      }
      return this.#files.read(file, offset, length)
    }
    const { first, start, bytes } = chunksAround(size, offset, length)
    const part = await this.#files.read(file, start, bytes)
    if (part === null) return null
    if (length > 0 && !sumsHold(part, { first, size, sums })) throw this.#changed(row.key)
    return length === bytes ? part : part.slice(offset - start, offset - start + length)
  }

  async #naming<Result>(key: string, query: () => Result): Promise<Result> {
    try {
      return await this.#database.readInTurn(query)
    } catch (error) {
      if (!isDamage(error) || !(error instanceof Error) || error.cause === undefined) throw error
      throw this.#damage.note(objectName(key), String(error.cause), error)
    }
  }

  #changed(key: string): Error {
    return this.#damage.note(objectName(key), 'its body is not what was written')
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

export function isBodyWhole({ size, sums, etag }: ObjectRow, body: Uint8Array): boolean {
  if (!(body instanceof Uint8Array) || body.byteLength !== size) return false
  return sums === null ? hash('sha256', body) === etag : sumsHold(body, { first: 0, size, sums })
}

function rowOf(
  key: string,
  body: Uint8Array,
  etag: string,
  { content_type = null }: { content_type?: string | null },
  file: string | null,
): ObjectRow {
  const kept = file === null ? body : null
  return { key, size: body.byteLength, etag, content_type, file, sums: sumsOf(body), body: kept }
}

function stored({ key, size, etag, content_type }: ObjectRow, body: Uint8Array): StoredObject {
  return { key, size, etag, content_type, body }
}

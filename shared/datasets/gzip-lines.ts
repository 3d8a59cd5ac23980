import { hash } from 'node:crypto'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/** A file body and what a manifest says of it. */
export interface PackedFile {
  body: Uint8Array
  bytes: number
  sha256: string
}

const chunkLength = 64 * 1024
/** Where the gzip header names the operating system (RFC 1952, section 2.3.1), and the value for "unknown". */
const systemByte = { position: 9, unknown: 255 }

/**
 * Lines of text packed as they come, so that memory holds the packed file only. The same lines give the same bytes on
 * every platform: no time, no file name, no operating system in the header.
 */
export class GzipLines {
  readonly #gzip = createGzip()
  readonly #packed: Buffer[] = []
  #pending = ''

  constructor() {
    this.#gzip.on('data', (chunk: Buffer) => this.#packed.push(chunk))
  }

  async write(line: string): Promise<void> {
    this.#pending += `${line}\n`
    if (this.#pending.length < chunkLength) return
    const text = this.#pending
    this.#pending = ''
    if (!this.#gzip.write(text)) await once(this.#gzip, 'drain')
  }

  /** Ends the file; nothing can be written after. */
  async end(): Promise<PackedFile> {
    this.#gzip.end(this.#pending)
    await finished(this.#gzip)
    const body = Buffer.concat(this.#packed)
    body[systemByte.position] = systemByte.unknown
    return packFile(body)
  }

  /** Lets go of a file that will not be ended. */
  discard(): void {
    this.#gzip.destroy()
  }
}

/** Names a body by its size and digest. */
export function packFile(body: Uint8Array): PackedFile {
  return { body, bytes: body.byteLength, sha256: hash('sha256', body, 'hex') }
}

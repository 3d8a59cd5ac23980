import { hash } from 'node:crypto'
import { finished } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { LineBlock } from './line-block.ts'

/** A file body and what a manifest says of it. */
export interface PackedFile {
  body: Uint8Array
  bytes: number
  sha256: string
}

/** On prose a quarter of the time of zlib's default, for files a sixth larger. */
const level = 4
/** Bytes that are given to zlib at a time. */
const chunkBytes = 256 * 1024
/** Where the gzip header names the operating system (RFC 1952, section 2.3.1), and the value for "unknown". */
const systemByte = { position: 9, unknown: 255 }

/**
 * Lines of text packed as they come, so that memory holds the packed file only. The same lines give the same bytes on
 * every platform: no time, no file name, no operating system in the header.
 */
export class GzipLines {
  readonly #gzip = createGzip({ level })
  readonly #packed: Buffer[] = []
  /** One is filled while the other is packed. */
  #filled = new LineBlock()
  #spare = new LineBlock()
  #packing: Promise<void> = Promise.resolve()

  constructor() {
    this.#gzip.on('data', (chunk: Buffer) => this.#packed.push(chunk))
  }

  async write(line: string): Promise<void> {
    this.#filled.add(line)
    if (this.#filled.length >= chunkBytes) await this.#flush()
  }

  /** Ends the file; nothing can be written after. */
  async end(): Promise<PackedFile> {
    await this.#flush()
    await this.#packing
    this.#gzip.end()
    await finished(this.#gzip)
    const body = Buffer.concat(this.#packed)
    body[systemByte.position] = systemByte.unknown
    return packFile(body)
  }

  /** Frees a file that will not be ended. */
  discard(): void {
    this.#gzip.destroy()
  }

  async #flush(): Promise<void> {
    await this.#packing
    const block = this.#filled
    this.#filled = this.#spare
    this.#filled.clear()
    this.#spare = block
    this.#packing = new Promise((resolve, reject) => {
      this.#gzip.write(block.bytes, (error) => (error ? reject(error) : resolve()))
    })
    // The next call awaits the promise and reports a failure.
    this.#packing.catch(() => undefined)
  }
}

/** Names a body by its size and digest. */
export function packFile(body: Uint8Array): PackedFile {
  return { body, bytes: body.byteLength, sha256: hash('sha256', body, 'hex') }
}

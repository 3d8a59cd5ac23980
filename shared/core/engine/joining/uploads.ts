import { EspalierError } from '../../contracts/errors.ts'

const mostBytes = 256 * 1024 * 1024

export class Uploads {
  readonly #parts = new Map<string, Uint8Array[]>()
  #bytes = 0

  add(worker: string, { upload, at }: { upload: string; at: number }, body: Uint8Array): void {
    const name = `${worker}/${upload}`
    const parts = this.#parts.get(name) ?? []
    if (at > parts.length) throw missing()
    this.#bytes += body.byteLength - (parts[at]?.byteLength ?? 0)
    parts[at] = body
    this.#parts.set(name, parts)
    for (const [oldest] of this.#parts) {
      if (this.#bytes <= mostBytes) return
      this.#drop(oldest)
    }
  }

  take(worker: string, { id, parts }: { id: string; parts: number }): Uint8Array {
    const found = this.#drop(`${worker}/${id}`)
    // The service has restarted, or had no room.
    if (found.length !== parts) throw missing()
    return Buffer.concat(found)
  }

  #drop(name: string): Uint8Array[] {
    const parts = this.#parts.get(name) ?? []
    this.#parts.delete(name)
    for (const { byteLength } of parts) this.#bytes -= byteLength
    return parts
  }
}

function missing(): EspalierError {
  return new EspalierError('conflict', 'Parts of this body are missing: send them again.')
}

import { EspalierError } from '../../contracts/errors.ts'

const mostBytes = 256 * 1024 * 1024
const mostUploads = 8

/** Parts of large bodies, in memory until the last is there; of each worker the newest few uploads. */
export class Uploads {
  readonly #workers = new Map<string, Map<string, Uint8Array[]>>()

  add(worker: string, { upload, at }: { upload: string; at: number }, body: Uint8Array): void {
    const uploads = this.#workers.get(worker) ?? new Map<string, Uint8Array[]>()
    const parts = uploads.get(upload) ?? []
    const size = [...uploads.values()].flat().reduce((sum, part) => sum + part.byteLength, body.byteLength)
    if (at > parts.length) throw missing()
    if (size > mostBytes)
      throw new EspalierError('body_too_large', 'A worker sends at most 256 MB in parts at once.')
    parts[at] = body
    uploads.set(upload, parts)
    if (uploads.size > mostUploads) uploads.delete(uploads.keys().next().value ?? '')
    this.#workers.set(worker, uploads)
  }

  // Parts are missing if the service has restarted.
  take(worker: string, { id, parts }: { id: string; parts: number }): Uint8Array {
    const uploads = this.#workers.get(worker)
    const found = uploads?.get(id) ?? []
    uploads?.delete(id)
    if (uploads?.size === 0) this.#workers.delete(worker)
    if (found.length !== parts) throw missing()
    return Buffer.concat(found)
  }
}

function missing(): EspalierError {
  return new EspalierError('conflict', 'Parts of this body are missing: send them again.')
}

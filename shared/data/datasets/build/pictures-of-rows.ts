import type { DatasetPictures, PictureChoice } from '../../../core/contracts/dataset.ts'
import { EspalierError } from '../../../core/contracts/errors.ts'
import { objectKeys } from '../../../core/engine/keys.ts'
import type { Objects } from '../../../core/world/ports.ts'
import { readPictureFile } from '../../formats/picture-names.ts'
import type { DatasetFormat } from '../../formats/trainer-format.ts'
import { GzipLines, type PackedFile } from '../gzip-lines.ts'
import { noPictures, type RowPictures } from '../row-file.ts'

/** Maximum number of different pictures of a dataset: each is a line in memory, and a separate file in a download. */
export const mostDatasetPictures = 100_000
const readAtOnce = 16
/** Maximum bytes of cached pictures: successive rows of one episode show the same ones. */
const keptBytes = 64 * 1024 * 1024

export class PicturesOfRows {
  readonly #objects: Pick<Objects, 'get' | 'head'>
  readonly #choice: PictureChoice | undefined
  readonly #isInside: boolean
  readonly #names = new Set<string>()
  readonly #kept = new Map<string, Uint8Array>()
  #bytes = 0
  readonly #counts = { rows: 0, left_out: 0, rows_without: 0 }

  constructor(
    objects: Pick<Objects, 'get' | 'head'>,
    choice: PictureChoice | undefined,
    { pictures }: Pick<DatasetFormat, 'pictures'>,
  ) {
    this.#objects = objects
    this.#choice = choice
    this.#isInside = pictures !== undefined && pictures.place !== 'files'
  }

  /** Adds an accepted row. @throws EspalierError `invalid_request` if there are too many pictures */
  add({ pictures, left_out_pictures }: { pictures: readonly string[]; left_out_pictures: number }): void {
    for (const name of pictures) this.#names.add(name)
    if (pictures.length > 0) this.#counts.rows += 1
    this.#counts.left_out += left_out_pictures
    if (left_out_pictures > 0) this.#counts.rows_without += 1
    if (this.#names.size <= mostDatasetPictures) return
    throw new EspalierError(
      'invalid_request',
      `The rows show more than ${mostDatasetPictures.toLocaleString('en')} different pictures. Build a dataset of fewer runs, or leave pictures out: "pictures": "leave_out".`,
      { param: 'pictures' },
    )
  }

  readonly read = async (names: readonly string[]): Promise<RowPictures> => {
    if (!this.#isInside || names.length === 0) return noPictures
    const found = new Map<string, Uint8Array>()
    for (const name of names) {
      const bytes = this.#kept.get(name) ?? (await this.#fetch(name))
      found.set(name, bytes)
    }
    this.#forget()
    return found
  }

  /**
   * The manifest's entry on pictures, and their list, if they are stored beside the data.
   *
   * @returns null if the request does not choose the form of pictures
   */
  async end(
    signal: AbortSignal | undefined,
  ): Promise<{ counts: DatasetPictures; list: PackedFile | null } | null> {
    if (this.#choice === undefined) return null
    const names = [...this.#names]
    const lines = new GzipLines()
    let bytes = 0
    for (let first = 0; first < names.length; first += readAtOnce) {
      signal?.throwIfAborted()
      const batch = names.slice(first, first + readAtOnce)
      const sizes = await Promise.all(batch.map((name) => this.#sizeOf(name)))
      for (const [index, name] of batch.entries()) {
        const size = sizes[index] ?? 0
        bytes += size
        await lines.write(JSON.stringify({ name, bytes: size, sha256: readPictureFile(name)?.sha256 }))
      }
    }
    const counts = { ...this.#counts, files: names.length, bytes }
    if (this.#isInside || names.length === 0) {
      lines.discard()
      return { counts, list: null }
    }
    return { counts, list: await lines.end() }
  }

  async #fetch(name: string): Promise<Uint8Array> {
    const object = await this.#objects.get(blobKey(name))
    if (object === null) throw missing(name)
    this.#kept.set(name, object.body)
    this.#bytes += object.body.byteLength
    return object.body
  }

  #forget(): void {
    for (const [name, { byteLength }] of this.#kept) {
      if (this.#bytes <= keptBytes) return
      this.#kept.delete(name)
      this.#bytes -= byteLength
    }
  }

  async #sizeOf(name: string): Promise<number> {
    const info = await this.#objects.head(blobKey(name))
    if (info === null) throw missing(name)
    return info.size
  }
}

function blobKey(name: string): string {
  return objectKeys.blob(readPictureFile(name)?.sha256 ?? name)
}

function missing(name: string): EspalierError {
  return new EspalierError(
    'not_found',
    `The picture ${name} is stored no more, and rows show it. Play the run again, or leave pictures out: "pictures": "leave_out".`,
    { param: 'pictures' },
  )
}

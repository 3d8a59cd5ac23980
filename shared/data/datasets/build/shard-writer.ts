import { GzipLines, type PackedFile } from '../gzip-lines.ts'
import { bytesOf, type RowFile, type RowPictures } from '../row-file.ts'

/** Maximum bytes of text and pictures in a shard, so that a large `rows_per_file` cannot exhaust memory. */
const textLimit = 256 * 1024 * 1024

export class ShardWriter {
  readonly #data: RowFile
  readonly #lineage = new GzipLines()
  readonly #rowsPerFile: number
  #rows = 0
  #length = 0

  constructor(data: RowFile, rowsPerFile: number) {
    this.#data = data
    this.#rowsPerFile = rowsPerFile
  }

  get rows(): number {
    return this.#rows
  }

  get full(): boolean {
    return this.#rows >= this.#rowsPerFile || this.#length >= textLimit
  }

  /** @param lineage - as JSON, without the row's number */
  async add(text: string, lineage: string, pictures: RowPictures): Promise<void> {
    const line = `{"row":${this.#rows},${lineage.slice(1)}`
    this.#rows += 1
    this.#length += text.length + bytesOf(pictures)
    await this.#data.add(text, pictures)
    await this.#lineage.write(line)
  }

  async end(): Promise<{ data: PackedFile; lineage: PackedFile }> {
    const [data, lineage] = await Promise.all([this.#data.end(), this.#lineage.end()])
    return { data, lineage }
  }

  discard(): void {
    this.#data.discard()
    this.#lineage.discard()
  }
}

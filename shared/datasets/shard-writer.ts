import type { LineageRow } from '../contracts/dataset.ts'
import { GzipLines, type PackedFile } from './gzip-lines.ts'

/** Text that a shard holds at most, so that a large `rows_per_file` cannot outgrow memory. */
const textLimit = 256 * 1024 * 1024

/** One data file and the lineage of its rows, line by line beside it. */
export class ShardWriter {
  readonly #data = new GzipLines()
  readonly #lineage = new GzipLines()
  readonly #rowsPerFile: number
  #rows = 0
  #length = 0

  constructor(rowsPerFile: number) {
    this.#rowsPerFile = rowsPerFile
  }

  get rows(): number {
    return this.#rows
  }

  get full(): boolean {
    return this.#rows >= this.#rowsPerFile || this.#length >= textLimit
  }

  async add(line: string, origin: Omit<LineageRow, 'row' | 'schema_version'>): Promise<void> {
    const lineage: LineageRow = { row: this.#rows, ...origin, schema_version: 'espalier-lineage-v1' }
    this.#rows += 1
    this.#length += line.length
    await this.#data.write(line)
    await this.#lineage.write(JSON.stringify(lineage))
  }

  async end(): Promise<{ data: PackedFile; lineage: PackedFile }> {
    return { data: await this.#data.end(), lineage: await this.#lineage.end() }
  }

  discard(): void {
    this.#data.discard()
    this.#lineage.discard()
  }
}

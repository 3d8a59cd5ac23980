import type { DatasetFile, DatasetRequest } from '../../../core/contracts/dataset.ts'
import type { DatasetFormat } from '../../formats/trainer-format.ts'
import { GzipLines, type PackedFile } from '../gzip-lines.ts'
import { fileExtension, openRowFile } from '../open-row-file.ts'
import { bytesOf, type RowFile, type RowPictures } from '../row-file.ts'
import type { PartTask } from './part-tasks.ts'
import { type Shard, shardFileNames } from './shard.ts'

/** Maximum bytes of text and pictures in a shard, so that a large `rows_per_file` cannot exhaust memory. */
const textLimit = 256 * 1024 * 1024

class ShardWriter {
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

export interface SplitFilesNeeds {
  request: Pick<DatasetRequest, 'rows_per_file' | 'splits' | 'pictures'>
  format: DatasetFormat
  shards: Shard[]
  store(name: string, file: PackedFile, contentType: string, rows: number): Promise<DatasetFile>
  readPictures(names: readonly string[]): Promise<RowPictures>
  /** Called before a shard is written; throws when another builder has taken over. */
  beforeShard(): Promise<void>
  /** Called when a shard is stored; after it returns, the shard survives a kill. */
  commit(shard: Shard, rows: number): Promise<void>
  signal?: AbortSignal | undefined
}

interface OpenSplit {
  name: string
  rows: number
  tasks: number
  lastTask: PartTask | null
  shards: Shard[]
  writer: ShardWriter | null
}

/**
 * The data files of every split, and the lineage beside them. Takes the rows of all splits in the dataset's order.
 * Rows in committed shards are counted and not written again.
 */
export class SplitFiles {
  readonly #needs: SplitFilesNeeds
  readonly #splits: OpenSplit[]
  #rows = 0

  constructor(needs: SplitFilesNeeds) {
    this.#needs = needs
    this.#splits = Object.keys(needs.request.splits ?? { train: 1 }).map((name) => ({
      name,
      rows: 0,
      tasks: 0,
      lastTask: null,
      shards: needs.shards.filter(({ split }) => split === name),
      writer: null,
    }))
  }

  get rows(): number {
    return this.#rows
  }

  get names(): string[] {
    return this.#splits.map(({ name }) => name)
  }

  /** @param seen - number of rows so far, including this one and those that gates kept out */
  async add(
    place: number,
    row: { text: string; lineage: string; task: PartTask; seen: number; pictures: readonly string[] },
  ): Promise<void> {
    const { format, readPictures, request } = this.#needs
    const split = this.#splits[place]
    if (split === undefined) throw new RangeError(`There is no split at ${place}.`)
    this.#rows += 1
    split.rows += 1
    if (split.lastTask !== row.task) split.tasks += 1
    split.lastTask = row.task
    if (row.seen <= (split.shards.at(-1)?.seen ?? 0)) return
    split.writer ??= new ShardWriter(openRowFile(format, request.pictures === 'show'), request.rows_per_file)
    await split.writer.add(row.text, row.lineage, await readPictures(row.pictures))
    if (split.writer.full) await this.#endShard(split, split.writer, row.seen)
  }

  async end(seen: number): Promise<void> {
    for (const split of this.#splits) {
      if (split.writer !== null) await this.#endShard(split, split.writer, seen)
    }
  }

  discard(): void {
    for (const { writer } of this.#splits) writer?.discard()
  }

  counts(): Record<string, { rows: number; tasks: number }> {
    return Object.fromEntries(this.#splits.map(({ name, rows, tasks }) => [name, { rows, tasks }]))
  }

  files(): DatasetFile[] {
    return this.#splits.flatMap(({ shards }) => shards.flatMap(({ data, lineage }) => [data, lineage]))
  }

  dataFiles(): Record<string, string[]> {
    const named = this.#splits.map(({ name, shards }) => [name, shards.map(({ data }) => data.name)] as const)
    return Object.fromEntries(named)
  }

  async #endShard(split: OpenSplit, writer: ShardWriter, seen: number): Promise<void> {
    const { beforeShard, commit, format, request, signal, store } = this.#needs
    signal?.throwIfAborted()
    const number = split.shards.length + 1
    const names = shardFileNames(request.splits && split.name, number, fileExtension(format))
    const packed = await writer.end()
    await beforeShard()
    const data = await store(names.data, packed.data, dataType(format), writer.rows)
    const lineage = await store(names.lineage, packed.lineage, 'application/gzip', writer.rows)
    const shard: Shard = { split: split.name, number, data, lineage, seen }
    await commit(shard, this.#rows)
    split.shards.push(shard)
    split.writer = null
  }
}

function dataType({ container }: DatasetFormat): string {
  return container === 'parquet' ? 'application/vnd.apache.parquet' : 'application/gzip'
}

import type { DatasetFormatId, DatasetKindId } from '../contracts/dataset.ts'
import type { DatasetRow, RowType } from '../contracts/dataset-row.ts'
import type { JsonObject } from '../contracts/json.ts'
import type { ShownPart } from '../contracts/shown-row.ts'
import type { TrajectoryFormat } from '../contracts/trajectory-import.ts'
import type { ColumnType } from './column-types.ts'
import type { ReadTrajectory, RowPlace } from './read-trajectory.ts'

/** How rows of one format are recognised and read: the half of a format that imports need. */
export interface ReadableFormat {
  readonly id: TrajectoryFormat
  /** Which rows it reads, in one line. */
  readonly reads: string
  /**
   * Whether a row has the format's fields. Formats are asked in the order of their list, so that one need not exclude those
   * before it; false throughout for a format whose rows are those of another.
   */
  recognises(row: Record<string, unknown>): boolean
  /**
   * The trajectory that a row holds. Formats that share this function read the same rows.
   *
   * @throws BadRowError
   */
  read(row: Record<string, unknown>, place: RowPlace): ReadTrajectory
}

/** How a trainer wants rows, in one module: how they are written, shown, recognised and read. */
export interface DatasetFormat extends ReadableFormat {
  readonly id: DatasetFormatId
  readonly description: string
  /** `jsonl`: a row a line; `json`: one list; `parquet`: columns. */
  readonly container: 'jsonl' | 'json' | 'parquet'
  /** Whether the trainer reads gzipped files; where not, the download unpacks them. */
  readonly readsGzip: boolean
  readonly kinds: readonly DatasetKindId[]
  /** How its rows show pictures; absent: its trainers are given texts alone, and a dataset that shows pictures is refused. */
  readonly pictures?: FormatPictures
  /** The row as the trainer wants it. @throws UnfitRowError */
  write(row: DatasetRow, facts: RowFacts): JsonObject
  /**
   * The columns of rows whose JSON does not determine them: `datasets.load_dataset` takes the types of the first rows for those
   * of all, and refuses a file in which a value that was whole has a fraction, was null and is a text, or a field comes in that
   * was not there (5.2.0). Without, or null: the first rows determine them.
   */
  columns?(kind: DatasetKindId, isPictured: boolean): ColumnType[] | null
  /**
   * What its trainer makes of a row that {@link write} wrote: the turns, and which of them it learns with the settings that
   * {@link usage} names.
   */
  show(data: JsonObject, kind: DatasetKindId): ShownPart[]
  companions(facts: FormatFacts): CompanionFile[]
  /** Markdown for the dataset's README: how each trainer loads it. */
  usage(facts: FormatFacts): string
}

/** How the rows of a format show pictures. They name each by {@link pictureFile}, in the order of the turns. */
export interface FormatPictures {
  readonly kinds: readonly DatasetKindId[]
  /**
   * `files`: a row names files of the folder `images`, which lie beside the data. `data`: in place of the names stand `data:`
   * addresses. `columns`: bytes in the Parquet file.
   */
  readonly place: 'files' | 'data' | 'columns'
}

/** What a format may store of a row beside its content, where the format has a place for it. */
export interface RowFacts {
  kind: DatasetKindId
  environment: string
  task: string
  /** The row's number among those of its task, from 0: which file it comes to, and where, is known only later. */
  row: number
  reward: number | null
  other_reward: number | null
  /** Whether the rows of the dataset show pictures, this one or others: all have the same shape. @default false */
  isPictured?: boolean
}

/** One file beside the data, such as `dataset_info.json`. */
export interface CompanionFile {
  name: string
  content_type: string
  text: string
}

/** What is known of the finished data files. */
export interface FormatFacts {
  kind: DatasetKindId
  title: string
  /** By split: the names of its data files as they are stored. */
  files: Record<string, string[]>
  rows: number
  /** Whether rows show pictures. @default false */
  isPictured?: boolean
}

/** Why one row cannot be written in the format, in words for the manifest's gate `unfit`. */
export class UnfitRowError extends Error {}

/** For a row whose kind the format does not list: a request for it is refused before any row is made. */
export function noPlace(format: DatasetFormatId, type: RowType): Error {
  return new Error(`The format "${format}" has no place for rows of the type "${type}".`)
}

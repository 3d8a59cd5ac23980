import type { DatasetFormatId, DatasetKindId } from '../../core/contracts/dataset.ts'
import type { DatasetRow, RowType, WeightedMessage } from '../../core/contracts/dataset-row.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import type { ShownPart } from '../../core/contracts/shown-row.ts'
import type { TrajectoryFormat } from '../../core/contracts/trajectory-import.ts'
import type { ColumnType } from './column-types.ts'
import type { ReadTrajectory, RowPlace } from './read-trajectory.ts'

export interface ReadableFormat {
  readonly id: TrajectoryFormat
  readonly reads: string
  /**
   * Recognizes a row by the format's fields. Recognition tries formats in the order of their list, so a format need
   * not exclude those before it. Always false for a format whose rows are those of another.
   */
  recognises(row: Record<string, unknown>): boolean
  /**
   * Reads the trajectory in a row. Formats that share this function read the same rows.
   *
   * @throws BadRowError
   */
  read(row: Record<string, unknown>, place: RowPlace): ReadTrajectory
  /** Upper bound of a row's nesting, for a reader without recursion. @default the bound of uploaded JSON */
  readonly levels?: number
}

export interface DatasetFormat {
  readonly id: DatasetFormatId
  readonly description: string
  /** `jsonl`: a row a line; `json`: one list; `parquet`: columns. */
  readonly container: 'jsonl' | 'json' | 'parquet'
  readonly readsGzip: boolean
  readonly kinds: readonly DatasetKindId[]
  /**
   * The form of pictures in its rows; absent: its trainers take only texts, and a dataset with pictures is refused.
   */
  readonly pictures?: FormatPictures
  /** Converts a row to the trainer's form. @throws UnfitRowError */
  write(row: DatasetRow, facts: RowFacts): JsonObject
  /**
   * The columns of rows whose JSON does not determine them. `datasets.load_dataset` takes the types of the first rows
   * for all. It refuses a file in which a whole value later has a fraction, a null is later a text, or a new field
   * appears (5.2.0). Without, or null: the first rows determine them.
   */
  columns?(kind: DatasetKindId, isPictured: boolean, structure?: RowStructure): ColumnType[] | null
  /** True for kinds in whose rows it keeps the model's thoughts. Without: the builder counts them as left out. */
  keepsThoughts?(kind: DatasetKindId): boolean
  /**
   * The turns of a row of {@link write} as its trainer sees them, and those it learns with the settings in {@link
   * usage}.
   */
  show(data: JsonObject, kind: DatasetKindId): ShownPart[]
  companions(facts: FormatFacts): CompanionFile[]
  usage(facts: FormatFacts): string
}

export type TwoWayFormat = DatasetFormat & ReadableFormat

/** The structure of some rows of a dataset. JSON determines its columns badly: most rows lack a call's arguments. */
export interface RowStructure {
  readonly calls: boolean
  readonly thoughts: boolean
}

/** The pictures in a format's rows. Rows name each by {@link pictureFile}, in the order of the turns. */
export interface FormatPictures {
  readonly kinds: readonly DatasetKindId[]
  /**
   * `files`: a row names files of the folder `images`, beside the data. `data`: `data:` addresses replace the names.
   * `columns`: bytes in the Parquet file.
   */
  readonly place: 'files' | 'data' | 'columns'
}

// The two paths behind a revision, whole, and the judgements of the steps up to its first error.
export interface RowExplanation {
  high: readonly WeightedMessage[]
  low: readonly WeightedMessage[]
  // Null: no model judged the steps.
  judgements: readonly { answer: string; action: string; observation: string; judgement: string }[] | null
}

export interface RowFacts {
  kind: DatasetKindId
  environment: string
  task: string
  /** The row's number among those of its task, from 0: its file and position are known only later. */
  row: number
  reward: number | null
  other_reward: number | null
  explained?: RowExplanation
  /** True if any row of the dataset shows pictures: all rows have the same shape. @default false */
  isPictured?: boolean
}

export interface CompanionFile {
  name: string
  content_type: string
  text: string
}

export interface FormatFacts {
  kind: DatasetKindId
  title: string
  files: Record<string, string[]>
  rows: number
  isPictured?: boolean
  structure?: RowStructure
}

/** The reason why a format cannot write one row, in words for the manifest's gate `unfit`. */
export class UnfitRowError extends Error {}

/**
 * The error for a row of a kind that the format does not list. The API refuses such a request before it builds any
 * row.
 */
export function unsupportedRow(format: DatasetFormatId, type: RowType): Error {
  return new Error(`The format "${format}" has no place for rows of the type "${type}".`)
}

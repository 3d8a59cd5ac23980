import type { DatasetFormatId, DatasetKindId } from '../contracts/dataset.ts'
import type { DatasetRow } from '../contracts/dataset-row.ts'
import type { JsonObject } from '../contracts/json.ts'
import type { ShownPart } from '../contracts/shown-row.ts'

/** What a format may store of a row beside its content, where the format has a place for it. */
export interface RowFacts {
  kind: DatasetKindId
  environment: string
  task: string
  /** The row's number among those of its task, from 0: which file it comes to, and where, is known only later. */
  row: number
  reward: number | null
  other_reward: number | null
}

/** Why one row cannot be written in the format, in words for the manifest's gate `unfit`. */
export class UnfitRowError extends Error {}

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
}

/** How a trainer wants rows. */
export interface DatasetFormat {
  readonly id: DatasetFormatId
  readonly description: string
  /** `jsonl`: a row a line; `json`: one list; `parquet`: columns. */
  readonly container: 'jsonl' | 'json' | 'parquet'
  /** Whether the trainer reads gzipped files; where not, the download unpacks them. */
  readonly readsGzip: boolean
  readonly kinds: readonly DatasetKindId[]
  /** The row as the trainer wants it. @throws UnfitRowError */
  write(row: DatasetRow, facts: RowFacts): JsonObject
  /**
   * What its trainer makes of a row that {@link write} wrote: the turns, and which of them it learns with the settings that
   * {@link usage} names.
   */
  show(data: JsonObject, kind: DatasetKindId): ShownPart[]
  companions(facts: FormatFacts): CompanionFile[]
  /** Markdown for the dataset's README: how each trainer loads it. */
  usage(facts: FormatFacts): string
}

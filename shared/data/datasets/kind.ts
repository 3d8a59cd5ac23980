import type { z } from 'zod'
import type { DatasetKindId, PictureChoice } from '../../core/contracts/dataset.ts'
import type { DatasetRow, RowType } from '../../core/contracts/dataset-row.ts'
import type { LeftOutReason } from '../../core/contracts/left-out-reasons.ts'
import type { Random } from '../../core/random/random.ts'
import type { RowExplanation } from '../formats/trainer-format.ts'
import type { Annotator } from './annotator.ts'
import type { Attempt, TaskGroup } from './attempt.ts'

export interface Side {
  attempt: Attempt
  node_ids: readonly number[]
  /** Reward of the path's end, if it is not the attempt's. */
  reward?: number | null
}

export interface FoundRow<Row extends DatasetRow = DatasetRow> {
  row: Row
  origin: Side
  other?: Side
  /** For a pair of single answers: whether both take the same action. @default false */
  same_action?: boolean
  // Of a revision: the paths and judgements behind it.
  explained?: RowExplanation
  /** Number of the path's pictures left out of the row by the request. @default 0 */
  left_out_pictures?: number
  /** Number of its answers whose thoughts the kind has no place for. @default 0 */
  left_out_thoughts?: number
}

export type Finding<Row extends DatasetRow = DatasetRow> =
  | FoundRow<Row>
  | { attempt: Attempt; left_out: LeftOutReason }

export interface KindScope {
  random(key: string): Random
  /**
   * `show`: rows show the pictures of the prompts, and a row of several answers becomes one row per answer (see
   * {@link answerRows}). `leave_out`: rows keep the pictures in their messages, and a later step removes them.
   * Absent: a path that shows pictures yields no row.
   */
  pictures?: PictureChoice | undefined
  signal?: AbortSignal | undefined
}

/**
 * A kind of rows: its learning signal, and how it builds rows from the attempts at one task. Rows depend only on the
 * group, the parameters and the scope's numbers, so that the same request yields the same rows.
 */
export interface DatasetKind<Parameters extends object = object, Row extends DatasetRow = DatasetRow> {
  readonly id: DatasetKindId
  readonly description: string
  readonly source: string
  readonly rowType: RowType
  readonly parameters: z.ZodType<Parameters>
  readonly usesExperts?: boolean
  /** True if its rows can show pictures. @default true */
  readonly showsPictures?: boolean
  /** True if equal rows are samples of their own, which the gate `duplicates` counts and never drops. @default false */
  readonly equalRowsAreSamples?: boolean
  /** Asks a model about each attempt before rows are built; null if these parameters need no questions. */
  annotator?(parameters: Parameters): Annotator | null
  /**
   * The rows of one task. Every attempt either is the origin of a row, or appears once with the reason why not. An
   * attempt that only serves others (as a pair's other side) counts as a row's. Kinds of tokens name an attempt with a
   * reason also beside its rows, if some of its branches give none.
   */
  rows(group: TaskGroup, parameters: Parameters, scope: KindScope): AsyncIterable<Finding<Row>>
}

import type { z } from 'zod'
import type { DatasetKindId, PictureChoice } from '../contracts/dataset.ts'
import type { DatasetRow, RowType } from '../contracts/dataset-row.ts'
import type { LeftOutReason } from '../contracts/left-out-reasons.ts'
import type { Random } from '../random/random.ts'
import type { Annotator } from './annotator.ts'
import type { Attempt, TaskGroup } from './attempt.ts'

/** A path in an attempt's tree: what lineage keeps of a side of a row. */
export interface Side {
  attempt: Attempt
  node_ids: readonly number[]
  /** Of the path's end, where it is not the attempt's. */
  reward?: number | null
}

/** A row, and where it comes from. */
export interface FoundRow<Row extends DatasetRow = DatasetRow> {
  row: Row
  origin: Side
  /** Of a pair's rejected side, or of the bad beginning that is revised. */
  other?: Side
  /** Of a pair of single answers: whether both take the same action. @default false */
  same_action?: boolean
  /** How many pictures of the path the row does not show, because the request leaves pictures out. @default 0 */
  left_out_pictures?: number
}

/** What a kind says of a task: a row, or an attempt that gave none and why. */
export type Finding<Row extends DatasetRow = DatasetRow> =
  | FoundRow<Row>
  | { attempt: Attempt; left_out: LeftOutReason }

/** What a kind may use beside the attempts. */
export interface KindScope {
  /** The same numbers for the same request and task, whatever was built before. */
  random(key: string): Random
  /**
   * `show`: rows show the pictures that the prompts showed, and a row of several answers is a row for each (see
   * {@link answerRows}). `leave_out`: rows are made as if there were none, with the pictures in their messages, which are taken
   * out after. Without: a path that shows pictures gives no row.
   */
  pictures?: PictureChoice | undefined
  signal?: AbortSignal | undefined
}

/**
 * What rows teach, and how they are found in the attempts at one task. Rows depend on the group, the parameters and the
 * scope's numbers alone, so that the same request gives the same rows.
 */
export interface DatasetKind<Parameters extends object = object, Row extends DatasetRow = DatasetRow> {
  readonly id: DatasetKindId
  readonly description: string
  /** The paper, and what of it this is. */
  readonly source: string
  readonly rowType: RowType
  readonly parameters: z.ZodType<Parameters>
  /** Whether it takes the request's `experts`; without, naming some is refused. */
  readonly usesExperts?: boolean
  /** Whether its rows have a place for pictures. @default true */
  readonly showsPictures?: boolean
  /** Asks a model about each attempt before rows are made; null: nothing to ask with these parameters. */
  annotator?(parameters: Parameters): Annotator | null
  /**
   * The rows of one task. Every attempt either is the origin of a row, or is named once with why it is not; an attempt that
   * only serves others (as a pair's other side) counts as a row's.
   */
  rows(group: TaskGroup, parameters: Parameters, scope: KindScope): AsyncIterable<Finding<Row>>
}

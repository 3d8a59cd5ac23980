import type { Json } from '../../core/contracts/json.ts'
import type { TokenRecord } from '../../core/contracts/token-record.ts'
import type { Tree } from '../../core/contracts/tree.ts'
import type { JournalRecord } from '../../core/engine/journal-record.ts'

export interface AttemptFacts {
  readonly source: string
  readonly episode: string
  readonly attempt: number
  readonly environment: string
  /** The digest of the data pack; null if the environment has none, or it is unknown. */
  readonly data: string | null
  readonly task: string
  /** The environment's split of the task; null if the environment does not know the task. */
  readonly task_split: string | null
  readonly method: string
  readonly model: string
  readonly status: 'succeeded' | 'failed' | 'limited'
  /** 0 to 1; null if a limit on money or time ended it. */
  readonly reward: number | null
  readonly success: boolean
  readonly seed: number
  /** Number of newest pictures in a prompt of the policy; absent if the run did not state it, and for imports. */
  readonly max_pictures?: number
  readonly scores?: Readonly<Record<string, number>>
  readonly steps?: Readonly<Record<string, number>>
}

/**
 * One attempt at a task, from which kinds build rows: an episode that ended by itself, or an imported trajectory.
 * Trees and journals are read on demand, and not cached.
 */
export interface Attempt extends AttemptFacts {
  /** A digest of the episode's end, which changes when it is extended; absent for imports. */
  readonly end?: string
  tree(): Promise<Tree>
  journal(): Promise<readonly JournalRecord[]>
  tokens(): Promise<readonly TokenRecord[]>
  /** The annotator's results about this attempt, by the keys of its effects; null without an annotator. */
  annotation(): Promise<ReadonlyMap<string, Json> | null>
}

export interface TaskGroup {
  readonly environment: string
  readonly data: string | null
  readonly task: string
  readonly attempts: readonly Attempt[]
  readonly experts: readonly Attempt[]
}

import type { Json } from '../contracts/json.ts'
import type { Tree } from '../contracts/tree.ts'
import type { JournalRecord } from '../engine/journal-record.ts'

/** What is known of an attempt without opening its tree. */
export interface AttemptFacts {
  /** The run, or the imported trajectories. */
  readonly source: string
  /** The episode of the run, or the line of the import. */
  readonly episode: string
  readonly attempt: number
  readonly environment: string
  /** The digest of the data pack; null where the environment has none, or it is not known. */
  readonly data: string | null
  readonly task: string
  /** The environment's split of the task; null where the task is not known to it. */
  readonly task_split: string | null
  readonly method: string
  /** `endpoint/id`. */
  readonly model: string
  readonly status: 'succeeded' | 'failed' | 'limited'
  /** 0 to 1; null where a limit on money or time ended it. */
  readonly reward: number | null
  readonly success: boolean
  readonly seed: number
  /** How many of its newest pictures a prompt of the policy showed; absent where the run did not say, and of what was imported. */
  readonly max_pictures?: number
  /** The scores that the request asks for, by their names; absent where it asks for none. */
  readonly scores?: Readonly<Record<string, number>>
  /** What was judged of its steps under the name that the kind asks for, by the positions of their nodes. */
  readonly steps?: Readonly<Record<string, number>>
}

/**
 * One attempt at a task: an episode that came to its end by itself, or an imported trajectory. What kinds make rows of. Trees
 * and journals are read when they are asked for, and not kept.
 */
export interface Attempt extends AttemptFacts {
  /** A digest of how the episode ended, another once it is played on; absent of what was imported. */
  readonly end?: string
  tree(): Promise<Tree>
  /** What the episode's model and environment were asked and answered; empty for what was imported. */
  journal(): Promise<readonly JournalRecord[]>
  /** What the kind's annotator asked about this attempt: results by the keys of its effects; null without one. */
  annotation(): Promise<ReadonlyMap<string, Json> | null>
}

/** All attempts at one task, in the order of the request's sources and of their episodes. */
export interface TaskGroup {
  readonly environment: string
  readonly data: string | null
  readonly task: string
  readonly attempts: readonly Attempt[]
  /** Those of the request's `experts`. */
  readonly experts: readonly Attempt[]
}

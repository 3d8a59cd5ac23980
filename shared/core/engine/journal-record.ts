import type { Json, JsonObject } from '../contracts/json.ts'
import type { PromptMessage } from '../contracts/message.ts'
import type { Usage } from '../contracts/usage.ts'

/**
 * The lines of a journal. Segments are written whole; the order of lines is the order of delivery, and only the
 * `segment` line depends on the writer.
 */
export type JournalRecord = SegmentRecord | MessageRecord | RequestRecord | EffectRecord | EntryRecord

export interface SegmentRecord {
  segment: number
  writer: string
  code: string
  at: string
  /** Seconds of working time over all workers, without downtime and queueing. */
  elapsed: number
  timing?: SegmentTiming
  /** The prefix of the log in which the next segment may be; absent: the next is an object of the journal. */
  log?: string
}

/**
 * Durations that a writer measured, in milliseconds, for the waterfall alone. `passed`: since its previous commit
 * began, or since it began to play. `setup`: from its claim until it began to play, in its first segment. `commit`:
 * of its previous commit. An effect has the time from its start and from its end to the segment's `at`, then those of
 * its outcome: `waited` and `held`.
 */
export interface SegmentTiming {
  passed: number
  setup?: number
  commit?: number
  effects: EffectTiming[]
}

export type EffectTiming = [began: number, ended: number, waited: number, held: number]

export interface MessageRecord {
  message: string
  value: PromptMessage
}

/** An effect's request, stored once per episode under its digest; it names its messages by digest. */
export interface RequestRecord {
  request: string
  value: { messages?: string[]; settings: Json }
}

export interface EffectRecord {
  effect: string
  request: string
  result: Json
  usage?: Usage
}

export interface EntryRecord {
  entry: JsonObject
}

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
}

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

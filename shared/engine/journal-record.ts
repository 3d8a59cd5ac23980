import type { Json, JsonObject } from '../contracts/json.ts'
import type { Message } from '../contracts/message.ts'
import type { Usage } from '../contracts/usage.ts'

/**
 * The lines of a journal. Segments are written whole; the order of lines is the order of delivery, and nothing in it
 * depends on who wrote it but the `segment` line.
 */
export type JournalRecord = SegmentRecord | MessageRecord | RequestRecord | EffectRecord | EntryRecord

/** Opens each segment: who wrote it, with which code, when, and how long the episode had worked by then. */
export interface SegmentRecord {
  segment: number
  writer: string
  code: string
  /** ISO 8601. */
  at: string
  /** Seconds of working time, over all workers; downtime and queueing left out. */
  elapsed: number
}

/** A chat message, stored once per episode under its digest. */
export interface MessageRecord {
  message: string
  value: Message
}

/** What an effect asked for, stored once per episode under its digest; its messages are given by their digests. */
export interface RequestRecord {
  request: string
  value: { messages?: string[]; settings: Json }
}

/** A committed effect: its key, the digest of its request, its result. */
export interface EffectRecord {
  effect: string
  request: string
  result: Json
  usage?: Usage
}

/** Something the episode's function stated, such as a node of its tree. */
export interface EntryRecord {
  entry: JsonObject
}

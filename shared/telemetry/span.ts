import type { SpanPlace } from './span-ids.ts'

/** A span that is over, to be sent. */
export interface EndedSpan extends SpanPlace {
  /** The span that it is a part of; null for the root of its trace. */
  parentId: string | null
  name: string
  /** `client`: a call over the network to a model. */
  kind: 'internal' | 'client'
  /** Milliseconds since the epoch. */
  began: number
  ended: number
  attributes: Record<string, string | number | boolean | string[]>
  /** Another span that it belongs to, in another trace. */
  link?: SpanPlace
  /** Why it failed. */
  error?: { type: string; message: string }
}

/** Sends spans; off by default. */
export interface SpanSink {
  send(span: EndedSpan): void
  /** Sends what waits, and ends. */
  close(): Promise<void>
}

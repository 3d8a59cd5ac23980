import type { SpanPlace } from './span-ids.ts'

export interface EndedSpan extends SpanPlace {
  parentId: string | null
  name: string
  /** `client`: a call over the network to a model. */
  kind: 'internal' | 'client'
  began: number
  ended: number
  attributes: Record<string, string | number | boolean | string[]>
  link?: SpanPlace
  error?: { type: string; message: string }
}

export interface SpanSink {
  send(span: EndedSpan): void
  close(): Promise<void>
}

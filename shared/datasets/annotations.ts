import type { Json } from '../contracts/json.ts'

/** What an annotation run is asked for. */
export interface AnnotationRequest {
  /** The dataset it is for: starting twice for one dataset starts once. */
  dataset: string
  /** What the attempts are asked about, in this order; at least one. */
  attempts: readonly { source: string; episode: string }[]
}

/** How an annotation run stands. */
export interface AnnotationState {
  status: 'going' | 'paused' | 'ended' | 'failed'
  /** Why it is paused or failed, and what to do about it. */
  reason: string | null
  done: number
  total: number
}

/** The runs that ask a model for datasets: ordinary runs of one tenant, whose episodes are annotations. */
export interface Annotations {
  /** @returns the id of the run */
  start(request: AnnotationRequest): Promise<string>
  state(run: string): Promise<AnnotationState>
  /** Answers (as texts) and what was kept, by their keys, of the attempt at this position; null where that episode gave none. */
  read(run: string, position: number): Promise<ReadonlyMap<string, Json> | null>
}

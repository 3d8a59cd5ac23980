import type { Json } from '../../core/contracts/json.ts'

export interface AnnotationRequest {
  /** The dataset: a second start for the same dataset returns the first run. */
  dataset: string
  attempts: readonly { source: string; episode: string }[]
}

export interface AnnotationState {
  status: 'going' | 'paused' | 'ended' | 'failed'
  reason: string | null
  done: number
  total: number
}

export interface Annotations {
  start(request: AnnotationRequest): Promise<string>
  state(run: string): Promise<AnnotationState>
  /**
   * Answers (as texts) and kept values, by their keys, of the attempt at this position; null if that episode produced
   * none.
   */
  read(run: string, position: number): Promise<ReadonlyMap<string, Json> | null>
}

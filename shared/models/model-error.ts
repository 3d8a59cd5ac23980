import { EspalierError } from '../contracts/errors.ts'
import type { ModelFailure } from '../contracts/model-failure.ts'

/**
 * A model call that failed for good: every retry it was worth has been made. Always `endpoint_failed`; its message names
 * the endpoint, says what the server said and what to do, and never holds a key.
 */
export class ModelError extends EspalierError {
  override readonly name = 'ModelError'
  /** True when the same call may well succeed later (overload, time-out, no connection); false when it needs a change. */
  readonly transient: boolean
  /** The HTTP status of the last answer; null when no answer came. */
  readonly endpointStatus: number | null

  readonly failure: ModelFailure

  constructor(
    message: string,
    options: { transient: boolean; endpointStatus: number | null; failure: ModelFailure },
  ) {
    super('endpoint_failed', message)
    this.transient = options.transient
    this.endpointStatus = options.endpointStatus
    this.failure = options.failure
  }
}

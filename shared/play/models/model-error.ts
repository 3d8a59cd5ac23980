import { EspalierError } from '../../core/contracts/errors.ts'
import type { ModelFailure } from '../../core/contracts/model-failure.ts'

/**
 * A model call that failed after all its retries. Always `endpoint_failed`. Its message names the endpoint, quotes
 * the server and states a remedy, and never holds a key.
 */
export class ModelError extends EspalierError {
  override readonly name = 'ModelError'
  /** True if the same call may succeed later (overload, timeout, no connection); false if it needs a change. */
  readonly transient: boolean
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

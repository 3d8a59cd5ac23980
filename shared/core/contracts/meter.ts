import type { EndpointWarning } from './endpoint-warning.ts'
import type { TokensAndCost } from './usage.ts'

/** A call's maximum cost: its prompt in full and `max_tokens` of answer. */
export interface UpperBound {
  tokens: number
  cost: number | null
}

/**
 * Counts money. Called before every single HTTP request that may be paid, retries included, so that no paid call goes
 * uncounted, whatever happens to its answer.
 */
export interface Meter {
  /** Reserves the upper bound durably. Rejects if a cap forbids the call; nothing may be sent then. */
  reserve(upperBound: UpperBound): Promise<Reservation>
  /** Called with a failure before its retry: the failure and the time of the next try, without a key. */
  troubled?(problem: string): void
  warned?(warning: EndpointWarning): void
}

export interface Reservation {
  /** Sent along as `X-Client-Request-Id`. */
  readonly id: string
  settle(spent: TokensAndCost): Promise<void>
  /** The endpoint refused before doing any work (a 4xx or 5xx status): nothing was paid. */
  release(): Promise<void>
  /** Sent, but no answer came (time-out, broken connection): counted as paid in full. */
  lose(): Promise<void>
}

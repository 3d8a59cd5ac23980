/** Minimum days for which an idempotency key is remembered. Later it may name a new request. */
export const idempotencyDays = 30

/** The earliest time a key first used now may be forgotten: milliseconds since the epoch. */
export function idempotencyEnd(now: number): number {
  return now + idempotencyDays * 24 * 3600 * 1000
}

/** For how many days an idempotency key is remembered at least. Later it may name a new request. */
export const idempotencyDays = 30

/** When a key that is first used now may be forgotten: milliseconds since the epoch. */
export function idempotencyEnd(now: number): number {
  return now + idempotencyDays * 24 * 3600 * 1000
}

/** Milliseconds of the quota usable in one burst after a rest. With {@link leaseLife} they add up to ten seconds. */
export const burst = 8000
/** Milliseconds for which a worker may use a lease; a burst can be longer by this much. */
export const leaseLife = 2000
/** Milliseconds beyond the burst for which leases may be issued ahead of their time. */
export const horizon = leaseLife

/**
 * The generic cell rate algorithm in its virtual scheduling form. `arrival` is the theoretical arrival time of the
 * next unit. Each unit advances it by its duration at the full rate. If the algorithm refuses a unit that comes too
 * early, this returns the time at which it conforms, so that it can wait for its turn. A unit larger than the burst
 * conforms once everything before it has run off.
 *
 * @see ITU-T Recommendation I.371 (2004), annex A.1
 * @returns the next theoretical arrival time, and the time from which the amount may be used; milliseconds since the
 * epoch
 */
export function schedule(
  arrival: number,
  now: number,
  amount: number,
  perMinute: number,
): { arrival: number; from: number } {
  const takes = timeOf(amount, perMinute)
  const next = Math.max(arrival, now) + takes
  return { arrival: next, from: Math.max(now, next - Math.max(burst, takes)) }
}

/** Milliseconds of an amount at the full rate, rounded up to whole ones. */
export function timeOf(amount: number, perMinute: number): number {
  return Math.ceil((amount * 60_000) / perMinute)
}

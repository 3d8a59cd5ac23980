/** Milliseconds of the quota that may be used at once after a rest. With {@link leaseLife} it makes ten seconds. */
export const burst = 8000
/** Milliseconds for which a worker may use what it was given; so much longer a burst can be. */
export const leaseLife = 2000
/** Milliseconds: how far beyond the burst leases may be given out ahead of their time. */
export const horizon = leaseLife

/**
 * The generic cell rate algorithm in its virtual scheduling form: `arrival` is the theoretical arrival time of the next
 * unit, which each unit moves on by what it takes at the full rate. Where the algorithm refuses a unit that comes too
 * early, this says from when it conforms, so that it can wait for its turn. What is larger than the burst conforms once
 * everything before it has run off.
 *
 * @see ITU-T Recommendation I.371 (2004), annex A.1
 * @returns the next theoretical arrival time, and from when the amount may be used; milliseconds since the epoch
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

/** Milliseconds that an amount takes at the full rate, whole ones so that nothing is lost by rounding. */
export function timeOf(amount: number, perMinute: number): number {
  return Math.ceil((amount * 60_000) / perMinute)
}

/** Sums and means of equal numbers differ in their last bits: by this share of their size, at most. */
export const roundingShare = 1e-12

export function isSameValue(left: number, right: number): boolean {
  return Math.abs(left - right) <= roundingShare * Math.max(1, Math.abs(left), Math.abs(right))
}

export function reachesValue(value: number, bar: number): boolean {
  return value >= bar || isSameValue(value, bar)
}

/** Billionths of a dollar: money as whole numbers, so that sums are exact. */
export const nanoPerDollar = 1e9

/** Dollars in billionths; unpriced counts as nothing. */
export function toNano(dollars: number | null): number {
  return Math.round((dollars ?? 0) * nanoPerDollar)
}

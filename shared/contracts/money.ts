/**
 * Money is counted in whole billionths of a dollar. What one call costs is rounded once, up, when its tokens are known; all sums after
 * that are of whole numbers, so that the same calls come to the same money to the last digit, in any order and however they are
 * spread over workers. Exact up to two million dollars. What is shown and stored beside tokens is in dollars: the number
 * nearest to the sum.
 */
export const nanoPerDollar = 1e9

/** Dollars in billionths; unpriced counts as nothing. */
export function toNano(dollars: number | null): number {
  return Math.round((dollars ?? 0) * nanoPerDollar)
}

/** The sum of two costs in dollars; unpriced plus anything stays unpriced. */
export function addCosts(left: number | null, right: number | null): number | null {
  return left === null || right === null ? null : (toNano(left) + toNano(right)) / nanoPerDollar
}

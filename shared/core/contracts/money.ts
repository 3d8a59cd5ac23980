/**
 * Money is counted in whole billionths of a dollar. The cost of one call is rounded once, up, when its tokens are
 * known. All later sums are of whole numbers, so the same calls cost the same to the last digit, in any order and
 * however workers share them. Exact up to two million dollars. Displayed and stored costs are in dollars: the number
 * nearest to the sum.
 */
export const nanoPerDollar = 1e9

export function toNano(dollars: number | null): number {
  return Math.round((dollars ?? 0) * nanoPerDollar)
}

export function addCosts(left: number | null, right: number | null): number | null {
  return left === null || right === null ? null : (toNano(left) + toNano(right)) / nanoPerDollar
}

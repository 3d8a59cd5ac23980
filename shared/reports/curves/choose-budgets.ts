/**
 * Budgets to look at: 1, 2, 5, 10, 20, 50 and so on, from what the first call of an episode took up to what the dearest
 * episode took, which is the last. The series does not depend on the runs, so that curves of different runs meet.
 */
export function chooseBudgets(episodes: readonly { first: number; total: number }[]): number[] {
  let least = Number.POSITIVE_INFINITY
  let most = 0
  for (const { first, total } of episodes) {
    if (first > 0) least = Math.min(least, first)
    most = Math.max(most, total)
  }
  if (episodes.length === 0) return []
  if (most === 0) return [0]
  const budgets: number[] = []
  for (let exponent = Math.floor(Math.log10(least)); 10 ** exponent < most; exponent += 1) {
    for (const digit of [1, 2, 5]) {
      // Read as text: 2 × 10⁻³ is not 0.002.
      const budget = Number(`${digit}e${exponent}`)
      if (budget < most) budgets.push(budget)
    }
  }
  const from = budgets.findLastIndex((budget) => budget <= least)
  return [...budgets.slice(Math.max(0, from)), most]
}

/**
 * The two-sided p-value of the exact sign test: how likely a split of the tasks as uneven as this one is, or more, if each
 * task on which the runs differ were as likely to be won as lost. Ties are left out (Dixon & Mood 1946, "The Statistical
 * Sign Test", JASA 41:557–566).
 *
 * Where each run played each task once, tasks won and lost are the discordant pairs of successes, and this is the exact
 * test of McNemar 1947 ("Note on the Sampling Error of the Difference Between Correlated Proportions", Psychometrika
 * 12:153–157).
 *
 * @returns null where the runs differ on no task
 */
export function signTest(won: number, lost: number): number | null {
  const count = won + lost
  if (count === 0) return null
  // Terms of the binomial distribution with p = 1/2, as logarithms: those of a thousand tasks are below any double.
  let logarithm = -count * Math.LN2
  let tail = 0
  for (let index = 0; index <= Math.min(won, lost); index += 1) {
    tail += Math.exp(logarithm)
    logarithm += Math.log((count - index) / (index + 1))
  }
  return Math.min(1, 2 * tail)
}

export interface CommittedStep {
  q: number
  next_value: number
  reflectable: boolean
}

export type SurpriseMeasure = 'unexpected' | 'unexpected_and_absq'

/**
 * The distance between each step's outcome and the policy's expectation: |V_next(i) − Q(i)|, or with
 * `unexpected_and_absq` |V_next(i) − Q(i)| + |Q(i)|. The outcome of the last step is the final score. Null for steps
 * excluded from reflection.
 *
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), contrastive reflection on the policy
 */
export function policySurprise(
  steps: readonly CommittedStep[],
  finalScore: number,
  measure: SurpriseMeasure = 'unexpected',
): (number | null)[] {
  return steps.map(({ q, next_value, reflectable }, index) => {
    const outcome = index === steps.length - 1 ? finalScore : next_value
    if (!reflectable) return null
    return Math.abs(outcome - q) + (measure === 'unexpected_and_absq' ? Math.abs(q) : 0)
  })
}

/**
 * The distance between the value of each state and the value that the search later found there: |V_next(i) − Q(i +
 * 1)|. The final score follows the last Q. Null for steps excluded from reflection.
 *
 * @param finalScore - 1 or 0; ±1 with the scale of a debate
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), contrastive reflection on the value function
 */
export function valueSurprise(steps: readonly CommittedStep[], finalScore: number): (number | null)[] {
  return steps.map(({ next_value, reflectable }, index) => {
    const found = steps[index + 1]?.q ?? finalScore
    return reflectable ? Math.abs(next_value - found) : null
  })
}

export interface Surprise {
  step: number
  surprise: number
}

/**
 * Selects the steps to reflect on: the most surprising first, of equals the earliest, at most `most` of those that
 * reach the threshold. Measures every step against its own next state, however many have been picked. ExACT's code
 * for desktops removes the next state together with a step, and so measures its neighbour against a wrong one.
 */
export function mostSurprising(
  surprises: readonly (number | null)[],
  { threshold, most }: { threshold: number; most: number },
): Surprise[] {
  return surprises
    .flatMap((surprise, step) => (surprise !== null && surprise >= threshold ? [{ step, surprise }] : []))
    .sort((one, other) => other.surprise - one.surprise)
    .slice(0, most)
}

/**
 * Tests whether the search itself considers the path solved, without the environment's reward: the mean of its Q is
 * above the threshold. A path without steps is not solved.
 *
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), its code: `est_final_score`, above 0.7
 */
export function isSolved(qs: readonly number[], threshold = 0.7): boolean {
  return qs.length > 0 && qs.reduce((sum, q) => sum + q, 0) / qs.length > threshold
}

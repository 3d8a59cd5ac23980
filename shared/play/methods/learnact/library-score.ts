import type { LibraryScores } from '../../../core/contracts/library.ts'

export interface LibraryTrial {
  success: number
  steps: number
  calls: number
  succeeded: number
}

/**
 * The score that chooses a set of actions: the sum of success and step accuracy (the paper), of all three (the code
 * in robot planning), or of success and call ratio (the code in household games).
 */
export type LibraryScoreType = 'success_accuracy' | 'success_accuracy_calls' | 'success_calls'

/**
 * Scores a set of learned actions over its training tasks. Success is the mean over tasks. Step accuracy = Σ
 * succeeded / Σ calls. Call ratio = Σ succeeded / Σ steps. A ratio with denominator 0 is 0.
 *
 * @param trials - one for each training task, at least one
 * @see Zhao et al. 2024, LearnAct (arXiv 2402.15809), and its code's `score_type`
 */
export function libraryScore(trials: readonly LibraryTrial[], type: LibraryScoreType): LibraryScores {
  if (trials.length === 0) throw new RangeError('A set of actions is scored by what it did; it did nothing.')
  const sum = (pick: (trial: LibraryTrial) => number) =>
    trials.reduce((total, trial) => total + pick(trial), 0)
  const succeeded = sum((trial) => trial.succeeded)
  const success = sum((trial) => trial.success) / trials.length
  const step_accuracy = ratio(
    succeeded,
    sum((trial) => trial.calls),
  )
  const call_ratio = ratio(
    succeeded,
    sum((trial) => trial.steps),
  )
  const score = {
    success_accuracy: success + step_accuracy,
    success_accuracy_calls: success + step_accuracy + call_ratio,
    success_calls: success + call_ratio,
  }[type]
  return { score, success, step_accuracy, call_ratio }
}

export function bestLibrary(scores: readonly { score: number }[]): number {
  if (scores.length === 0) throw new RangeError('There is no set of actions to choose from.')
  const highest = Math.max(...scores.map(({ score }) => score))
  return scores.findIndex(({ score }) => score === highest)
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}

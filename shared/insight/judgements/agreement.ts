import type { Agreement } from '../../core/contracts/scoring.ts'
import { roundingShare } from '../../data/datasets/kinds/compare-values.ts'

export interface ScorePair {
  score: number | null
  reference: number | null
  positive: boolean
}

/**
 * The agreement of a score with its reference over the pairs that have both. Cohen 1960, "A Coefficient of Agreement
 * for Nominal Scales", for kappa; Spearman's coefficient is Pearson's of the ranks, equal values having the mean of
 * theirs.
 */
export function measureAgreement(
  pairs: Iterable<ScorePair>,
  threshold: number,
): Omit<Agreement, 'against' | 'positive'> {
  const scores: number[] = []
  const references: number[] = []
  const confusion = { both: 0, score_only: 0, reference_only: 0, neither: 0 }
  let [without_score, without_reference] = [0, 0]
  for (const { positive, reference, score } of pairs) {
    if (score === null && reference !== null) without_score += 1
    if (score !== null && reference === null) without_reference += 1
    if (score === null || reference === null) continue
    scores.push(score)
    references.push(reference)
    if (score >= threshold) confusion[positive ? 'both' : 'score_only'] += 1
    else confusion[positive ? 'reference_only' : 'neither'] += 1
  }
  const count = scores.length
  return {
    threshold,
    pairs: count,
    without_score,
    without_reference,
    confusion,
    accuracy: count === 0 ? null : (confusion.both + confusion.neither) / count,
    kappa: cohensKappa(confusion),
    pearson: correlation(scores, references),
    spearman: correlation(ranks(scores), ranks(references)),
    mean_difference: count === 0 ? null : mean(scores) - mean(references),
  }
}

function cohensKappa({ both, neither, reference_only, score_only }: Agreement['confusion']): number | null {
  const count = both + neither + reference_only + score_only
  if (count === 0) return null
  const observed = (both + neither) / count
  const [byScore, byReference] = [both + score_only, both + reference_only]
  const expected = (byScore * byReference + (count - byScore) * (count - byReference)) / count ** 2
  return expected === 1 ? null : (observed - expected) / (1 - expected)
}

function correlation(left: readonly number[], right: readonly number[]): number | null {
  const [leftMean, rightMean] = [mean(left), mean(right)]
  let [products, leftSquares, rightSquares] = [0, 0, 0]
  for (const [at, value] of left.entries()) {
    const [leftPart, rightPart] = [value - leftMean, (right[at] ?? 0) - rightMean]
    products += leftPart * rightPart
    leftSquares += leftPart ** 2
    rightSquares += rightPart ** 2
  }
  const isFlat = (squares: number, values: readonly number[]) =>
    squares <= roundingShare * values.reduce((sum, value) => sum + value ** 2, 0)
  if (isFlat(leftSquares, left) || isFlat(rightSquares, right)) return null
  return Math.max(-1, Math.min(1, products / Math.sqrt(leftSquares * rightSquares)))
}

function ranks(values: readonly number[]): number[] {
  const order = [...values.keys()].toSorted((left, right) => (values[left] ?? 0) - (values[right] ?? 0))
  const found = values.map(() => 0)
  for (let start = 0; start < order.length; ) {
    let end = start
    while (end < order.length && values[order[end] ?? 0] === values[order[start] ?? 0]) end += 1
    for (const at of order.slice(start, end)) found[at] = (start + end - 1) / 2
    start = end
  }
  return found
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

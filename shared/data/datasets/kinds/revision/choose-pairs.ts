import type { Random } from '../../../../core/random/random.ts'
import { drawPairs } from '../draw-pairs.ts'
import type { TreeEnds } from './tree-ends.ts'

export interface EndPair {
  good: number
  bad: number
}

/**
 * Chooses pairs of a good end and one whose reward is lower by more than `beta`, at most `most` of them.
 *
 * @returns in the order of the ends, one by one
 * @see Yuan et al. 2025, Agent-R (arXiv 2501.11425), section 3.2: both comparisons are strict
 */
export function* choosePairs(
  { ends, good }: Pick<TreeEnds, 'ends' | 'good'>,
  { beta, most }: { beta: number; most: number | null },
  random: Random,
): Generator<EndPair> {
  const field = { better: ends.slice(0, good), worse: ends }
  for (const [better, worse] of drawPairs([field], { margin: beta, most }, random)) {
    yield { good: better.node, bad: worse.node }
  }
}

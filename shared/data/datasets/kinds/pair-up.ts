import type { RowMessage, RowOf } from '../../../core/contracts/dataset-row.ts'

export interface Contender {
  readonly reward: number | null
  readonly isExpert: boolean
  readonly head: readonly RowMessage[]
  readonly turns: readonly RowMessage[]
}

export interface PairRules {
  margin: number
  /** Maximum number of messages by which a rejected side may be longer than the chosen one; null: any. */
  maxExtraMessages: number | null
}

export interface Pair<Side extends Contender> {
  better: Side
  worse: Side
  row: RowOf<'preference'>
}

/**
 * Pairs two attempts at a task, and chooses the one of the higher reward. The prompt is the chosen side's. An
 * explored rejected side is cut to the length of the chosen one and `maxExtraMessages` more; an expert's stays whole.
 * Drops a last message of the environment from an explored side.
 *
 * @returns null if a reward is unknown, if the rewards do not differ enough, or if a side does not end on the model
 * @see Song et al. 2024, ETO (arXiv 2403.02502), and its `construct_preference.py`
 */
export function pairUp<Side extends Contender>(
  left: Side,
  right: Side,
  { margin, maxExtraMessages }: PairRules,
): Pair<Side> | null {
  if (left.reward === null || right.reward === null) return null
  if (!(Math.abs(left.reward - right.reward) > margin)) return null
  const [better, worse] = left.reward > right.reward ? [left, right] : [right, left]
  const chosen = playedTurns(better)
  const most =
    worse.isExpert || maxExtraMessages === null ? Number.POSITIVE_INFINITY : chosen.length + maxExtraMessages
  const rejected = playedTurns(worse).slice(0, most)
  if (![chosen, rejected].every((turns) => turns.at(-1)?.role === 'assistant')) return null
  return { better, worse, row: { type: 'preference', prompt: [...better.head], chosen, rejected } }
}

function playedTurns({ turns, isExpert }: Contender): RowMessage[] {
  return !isExpert && turns.at(-1)?.role === 'user' ? turns.slice(0, -1) : [...turns]
}

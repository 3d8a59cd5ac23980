import type { RowOf } from '../../contracts/dataset-row.ts'
import type { Message } from '../../contracts/message.ts'

/** A conversation that may become one side of a pair, and what it was worth. */
export interface Contender {
  /** 0 to 1; null where it is not known. */
  readonly reward: number | null
  readonly isExpert: boolean
  /** The instruction and all else up to the first observation. */
  readonly head: readonly Message[]
  /** What was played from there on. */
  readonly turns: readonly Message[]
}

export interface PairRules {
  /** By how much the rewards must differ at least; an equal difference is too little. */
  margin: number
  /** How many messages longer than the chosen side a rejected one may be; null: any. */
  maxExtraMessages: number | null
}

export interface Pair<Side extends Contender> {
  better: Side
  worse: Side
  row: RowOf<'preference'>
}

/**
 * Two attempts at a task as a pair, the one of the higher reward chosen. The prompt is the chosen side's. A rejected side that
 * was explored is cut to the length of the chosen one and `maxExtraMessages` more; an expert's is left whole. A last message
 * of the environment is dropped from what was explored.
 *
 * @returns null where a reward is unknown, where the rewards do not differ enough, and where a side does not end on the model
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

function playedTurns({ turns, isExpert }: Contender): Message[] {
  return !isExpert && turns.at(-1)?.role === 'user' ? turns.slice(0, -1) : [...turns]
}

import type { Role } from '../../core/contracts/model-choice.ts'
import type { PromptTemplate } from '../search/prompt-template.ts'

/**
 * Number of model calls of an episode by turns shown: index `n` counts the calls whose prompt shows `n` turns.
 * Prompts grow with turns.
 */
export type CallsByTurns = readonly number[]

export interface Likely {
  expected: number
  at_most: number
}

export interface RoleEffort {
  role: Role
  expected: CallsByTurns
  /** Includes retries after unreadable answers. */
  at_most: CallsByTurns
  /** Answers per call; 0 for a trained value or an embedding, which are not chats. */
  answers: number
  /** The templates of each call's messages. @default the rules, and the agent's path */
  prompts?: readonly PromptTemplate[]
  answer_tokens?: number
  notes?: Likely
}

export interface Effort {
  expected: CallsByTurns
  /** Upper bound for any episode, in total and from any index to the end. */
  at_most: CallsByTurns
  answers?: number
  /** Minimum answer length to allow, if the run's model allows less. @default 0 */
  answer_tokens?: number
  notes?: Likely
  others?: readonly RoleEffort[]
  /** Maximum number of concurrent calls: an episode can exceed its limits by that many. */
  side_by_side: number
  /** The basis of the expected number, as the end of a sentence after "Expected: ". */
  reason: string
  /** The method does not state its effort, so `at_most` bounds nothing. @default false */
  assumed?: boolean
}

export interface EffortBounds {
  /** The longest trajectory in this environment, unless a parameter overrides it. */
  max_steps: number
  steps: number
}

export function countCalls(calls: CallsByTurns): number {
  return calls.reduce((sum, count) => sum + count, 0)
}

export function scaleCalls(calls: CallsByTurns, factor: number): number[] {
  return calls.map((count) => count * factor)
}

/** Keeps at most this many calls, those with the longest prompts: no other choice uses more tokens. */
export function longestCalls(calls: CallsByTurns, most: number): number[] {
  let left = most
  return calls
    .toReversed()
    .map((count) => {
      const kept = Math.min(count, left)
      left -= kept
      return kept
    })
    .reverse()
}

export function callsAt(place: number, count: number): number[] {
  return [...Array.from({ length: place }, () => 0), count]
}

export function spreadCalls(longest: number, count: number): number[] {
  const places = Math.ceil(longest / 2)
  return Array.from({ length: places }, () => count / places)
}

export function addCalls(one: CallsByTurns, other: CallsByTurns): number[] {
  const [longer, shorter] = one.length > other.length ? [one, other] : [other, one]
  return longer.map((count, place) => count + (shorter[place] ?? 0))
}

/**
 * The expansions by level at the deepest possible growth, if the tree grows one level at a time. One expansion is on
 * each level below the root, and all others are on the last.
 *
 * @param deepest - the last level; not above the root
 */
export function deepestGrowth(root: number, expansions: number, deepest: number): number[] {
  const levels = deepest - root
  const single = Math.min(expansions, levels)
  return Array.from({ length: deepest + 1 }, (_, place) => {
    if (place <= root || place - root > single) return 0
    return place === deepest ? expansions - levels + 1 : 1
  })
}

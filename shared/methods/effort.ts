import type { Role } from '../contracts/model-choice.ts'
import type { PromptTemplate } from '../prompts/prompt-template.ts'

/** How many model calls an episode makes: at place `n` those whose prompt shows `n` turns. Prompts grow with turns. */
export type CallsByTurns = readonly number[]

export interface Likely {
  expected: number
  at_most: number
}

/** Calls to a model other than the policy. */
export interface RoleEffort {
  /** Embeddings are only made where the run names a model for them. */
  role: Role
  expected: CallsByTurns
  /** Those for answers that could not be read included. */
  at_most: CallsByTurns
  /** How many answers each call asks for; 0 where it is no chat, but a trained value or an embedding. */
  answers: number
  /** What the messages of each call are made from. @default the rules, and the agent's path */
  prompts?: readonly PromptTemplate[]
  /** How long an answer must be allowed to get, where the run's model allows less. @default 0 */
  answer_tokens?: number
  /** How many texts from earlier tasks stand in each prompt. @default none */
  notes?: Likely
}

/** The model calls of an episode, as far as the method's parameters determine them. */
export interface Effort {
  /** Calls to the policy. */
  expected: CallsByTurns
  /** No episode can make more; nor more at any place or behind it. */
  at_most: CallsByTurns
  /** How many answers each of them asks for. @default 1 */
  answers?: number
  /** How long an answer must be allowed to get, where the run's model allows less. @default 0 */
  answer_tokens?: number
  /** How many texts from earlier tasks, such as notes, the policy is shown. @default none */
  notes?: Likely
  /** Calls to others. @default none */
  others?: readonly RoleEffort[]
  /** How many calls can be under way at once: by so many an episode can pass its limits. */
  side_by_side: number
  /** The basis of the expected number, as the end of a sentence after "Expected: ". */
  reason: string
  /** The method does not say what it takes, so that `at_most` bounds nothing. @default false */
  assumed?: boolean
}

/** What bounds an episode beside its parameters. */
export interface EffortBounds {
  /** The longest trajectory in this environment unless a parameter says otherwise. */
  max_steps: number
  /** Environment steps over the whole tree. */
  steps: number
}

export function countCalls(calls: CallsByTurns): number {
  return calls.reduce((sum, count) => sum + count, 0)
}

/** The same calls, each place changed in proportion. */
export function scaleCalls(calls: CallsByTurns, factor: number): number[] {
  return calls.map((count) => count * factor)
}

/** At most so many of the calls, those with the longest prompts: no other choice takes more tokens. */
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

/** Nothing but so many calls at one place. */
export function callsAt(place: number, count: number): number[] {
  return [...Array.from({ length: place }, () => 0), count]
}

/** So many calls, as many at each of the places that half of the longest trajectory has. */
export function spreadCalls(longest: number, count: number): number[] {
  const places = Math.ceil(longest / 2)
  return Array.from({ length: places }, () => count / places)
}

export function addCalls(one: CallsByTurns, other: CallsByTurns): number[] {
  const [longer, shorter] = one.length > other.length ? [one, other] : [other, one]
  return longer.map((count, place) => count + (shorter[place] ?? 0))
}

/**
 * The deepest that so many expansions of a tree can lie which grows by one level at a time: one on each level below its root,
 * and what is left on the last.
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

/** How many model calls an episode makes: at place `n` those whose prompt shows `n` turns. Prompts grow with turns. */
export type CallsByTurns = readonly number[]

/** What an episode of a method takes, as far as its parameters tell. */
export interface Effort {
  expected: CallsByTurns
  /** No episode can make more; nor more at any place or behind it. */
  at_most: CallsByTurns
  /** How many calls can be under way at once: by so many an episode can pass its limits. */
  side_by_side: number
  /** Where the expected number comes from, as it goes on after "Expected: ". */
  reason: string
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

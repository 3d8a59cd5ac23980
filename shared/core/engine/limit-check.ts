import type { EpisodeLimit, EpisodeLimits } from '../contracts/limits.ts'
import type { Usage } from '../contracts/usage.ts'

export interface Consumed {
  usage: Usage
  pending: number
  steps: number
  /** Seconds of working time. */
  elapsed: number
}

/**
 * Returns the limit that forbids another effect, if any. It reads only delivered results, so a replay decides alike.
 * Concurrent calls can therefore overshoot tokens and money by the amount in flight.
 */
export function exhaustedLimit(limits: EpisodeLimits, consumed: Consumed): EpisodeLimit | null {
  const { usage, pending, steps, elapsed } = consumed
  if (limits.steps !== undefined && steps >= limits.steps) return 'steps'
  if (limits.turns !== undefined && usage.model_calls + pending >= limits.turns) return 'turns'
  if (limits.tokens !== undefined && usage.input_tokens + usage.output_tokens >= limits.tokens)
    return 'tokens'
  if (limits.cost !== undefined && usage.cost !== null && usage.cost >= limits.cost) return 'cost'
  if (limits.time !== undefined && elapsed >= limits.time) return 'time'
  return null
}

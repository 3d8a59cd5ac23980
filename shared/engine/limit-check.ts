import type { EpisodeLimit, EpisodeLimits } from '../contracts/limits.ts'
import type { Usage } from '../contracts/usage.ts'

export interface Consumed {
  usage: Usage
  /** Effects that are asked for but not delivered. */
  pending: number
  /** Environment steps. */
  steps: number
  /** Seconds of working time. */
  elapsed: number
}

/**
 * Which limit forbids another effect, if any. It looks only at what was delivered, so a replay decides alike; calls that
 * run side by side can therefore overshoot tokens and money by what is in flight.
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

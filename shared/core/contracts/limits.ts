import { z } from 'zod'

/** Larger sums in billionths of a dollar are no longer exact. */
export const mostDollars = 1_000_000
export const leastDollars = 1e-9

/** Caps of a whole run. Reaching one pauses the run; its episodes stay resumable. */
export const runLimitsSchema = z
  .strictObject({
    cost: z.number().positive().min(leastDollars).max(mostDollars).optional().describe('Maximum US dollars.'),
    tokens: z.int().positive().optional().describe('Maximum input and output tokens together.'),
    time: z.number().positive().optional().describe('Maximum seconds of running time, without pauses.'),
  })
  .meta({ id: 'RunLimits' })

export type RunLimits = z.infer<typeof runLimitsSchema>

/**
 * Caps of one episode that plays a task. Reaching one ends the episode as `limited` before its next new effect.
 * Learning episodes, which the others require, are bounded by their method's parameters and the caps of the run.
 */
export const episodeLimitsSchema = z
  .strictObject({
    steps: z
      .int()
      .positive()
      .optional()
      .describe('Maximum number of environment steps, over the whole tree.'),
    turns: z.int().positive().optional().describe('Maximum number of model calls.'),
    tokens: z.int().positive().optional().describe('Maximum input and output tokens together.'),
    cost: z.number().positive().min(leastDollars).max(mostDollars).optional().describe('Maximum US dollars.'),
    time: z
      .number()
      .positive()
      .optional()
      .describe('Maximum seconds of working time, without downtime and queueing.'),
  })
  .meta({
    id: 'EpisodeLimits',
    description:
      'Caps of each episode that plays a task. Learning episodes are bounded by the caps of the run alone.',
  })

export type EpisodeLimits = z.infer<typeof episodeLimitsSchema>
export type EpisodeLimit = keyof EpisodeLimits

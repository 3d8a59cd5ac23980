import { z } from 'zod'
import { episodeResultSchema } from './episode.ts'
import { episodeCountsSchema, runStatusSchema } from './run.ts'

/**
 * The events of a run, in order. Each event has the next number of its run; a client that reconnects with
 * `Last-Event-ID` gets the missed ones.
 */
export const runEventSchema = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('run.status'),
      sequence: z.int(),
      created_at: z.iso.datetime(),
      status: runStatusSchema,
      reason: z.string().nullable(),
    }),
    z.object({
      type: z.literal('run.problem'),
      sequence: z.int(),
      created_at: z.iso.datetime(),
      message: z
        .string()
        .describe('The problem that left a call to a model without an answer, and the next try.'),
    }),
    z.object({
      type: z.literal('episode.ended'),
      sequence: z.int(),
      created_at: z.iso.datetime(),
      episode: z.string(),
      task: z.string(),
      result: episodeResultSchema.pick({ status: true, reward: true, steps: true, usage: true, error: true }),
      episodes: episodeCountsSchema,
    }),
  ])
  .meta({ id: 'RunEvent' })

export type RunEvent = z.infer<typeof runEventSchema>

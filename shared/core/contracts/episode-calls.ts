import { z } from 'zod'
import { promptMessageSchema } from './message.ts'
import { modelCallSchema } from './node-detail.ts'

/** One model call of an episode. Positions name its prompt's messages, because prompts repeat most of each other. */
export const episodeCallSchema = modelCallSchema
  .omit({ messages: true })
  .extend({
    at: z.iso.datetime().describe('When its answer was committed.'),
    elapsed: z.number().describe('Seconds of working time until then, without downtime and queueing.'),
    node: z
      .int()
      .nonnegative()
      .nullable()
      .describe('The node that the call is about; null in an episode that has no tree.'),
    prompt: z.array(z.int().nonnegative()).describe('Its prompt: positions in `messages`, in their order.'),
  })
  .meta({ id: 'EpisodeCall' })

export type EpisodeCall = z.infer<typeof episodeCallSchema>

export const episodeCallsSchema = z
  .object({
    object: z.literal('episode_calls'),
    run: z.string(),
    episode: z.string(),
    messages: z
      .array(promptMessageSchema)
      .describe('Each message of all prompts once, as it was first sent.'),
    calls: z.array(episodeCallSchema),
  })
  .meta({ id: 'EpisodeCalls' })

export type EpisodeCalls = z.infer<typeof episodeCallsSchema>

import { z } from 'zod'
import { usageSchema } from './usage.ts'

/**
 * One event of a tree: its next node was added (nodes are numbered as they come), a value was backed up from a node
 * to the root, or the method decided for a node.
 */
export const growthEventSchema = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('node'), node: z.int().positive() }),
    z.object({ type: z.literal('value'), node: z.int().nonnegative(), value: z.number() }),
    z.object({ type: z.literal('commit'), node: z.int().nonnegative() }),
  ])
  .meta({ id: 'GrowthEvent' })

export type GrowthEvent = z.infer<typeof growthEventSchema>

export const growthStepSchema = z
  .object({
    at: z.iso.datetime().describe('When it was committed.'),
    elapsed: z.number().describe('Seconds of working time until then, without downtime and queueing.'),
    usage: usageSchema.describe('Usage of the episode until then.'),
    events: z.array(growthEventSchema),
  })
  .meta({ id: 'GrowthStep' })

export type GrowthStep = z.infer<typeof growthStepSchema>

/**
 * The growth of a search, read from the episode's journal. Folding the events over the nodes of the tree yields the
 * visits and values at any moment: a node's value is the mean of the values backed up through it.
 */
export const growthSchema = z
  .object({
    object: z.literal('growth'),
    run: z.string(),
    episode: z.string(),
    answer: z
      .enum(['last', 'best', 'committed', 'most-visited'])
      .describe(
        'Selects the node of the answer. `last`: the end of the path. `best`: the best node. `committed`: the method’s decision. `most-visited`: the end of the most visited path.',
      ),
    steps: z.array(growthStepSchema).describe('The steps with events, in order.'),
  })
  .meta({ id: 'Growth' })

export type Growth = z.infer<typeof growthSchema>

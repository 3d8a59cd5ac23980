import { z } from 'zod'
import { endReasonSchema } from './end-reason.ts'

const binsSchema = z
  .array(
    z.object({
      from: z.number(),
      to: z.number().describe('Exclusive.'),
      episodes: z.int(),
      solved: z.int().describe('Of these, the solved ones.'),
    }),
  )
  .describe('At most 24 bins of equal width; empty ones are left out.')

export const runShapeSchema = z
  .object({
    rewards: binsSchema,
    steps: binsSchema,
    ends: z
      .array(z.object({ reason: endReasonSchema, episodes: z.int() }))
      .describe('Ended episodes by reason. To list them, filter the episodes by `reason`.'),
    grid: z
      .object({
        epochs: z.int().describe('Number of epochs; at most 50 are shown.'),
        all: z.int().describe('Tasks with a played episode.'),
        tasks: z
          .array(
            z.object({
              task: z.string(),
              cells: z.array(
                z.object({
                  epoch: z.int(),
                  episode: z.string(),
                  reward: z.number().nullable(),
                  success: z.boolean().nullable(),
                }),
              ),
            }),
          )
          .describe('If there are more than 200 tasks or 2,000 episodes: the tasks whose rewards vary most.'),
      })
      .describe('Task × epoch.'),
  })
  .meta({ id: 'RunShape' })

export type RunShape = z.infer<typeof runShapeSchema>

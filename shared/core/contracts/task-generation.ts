import { z } from 'zod'

export const generatedSplitSchema = z.enum(['train', 'dev', 'test'])

export type GeneratedSplit = z.infer<typeof generatedSplitSchema>

export const taskGenerationSchema = z
  .looseObject({
    generator: z
      .string()
      .min(1)
      .optional()
      .describe(
        'One of the environment’s generators; GET /v1/environments lists them with their bounds. Optional if there is only one.',
      ),
    version: z
      .int()
      .positive()
      .optional()
      .describe('The generator’s version, as a run records it. Default: the newest.'),
    count: z.int().min(1).max(100_000).describe('Number of tasks, all different.'),
    seed: z
      .int()
      .min(0)
      .max(2_147_483_647)
      .default(0)
      .describe(
        'Decides which tasks are drawn, and their order: a smaller count gives the first tasks of a larger one.',
      ),
    split: generatedSplitSchema
      .default('train')
      .describe(
        'A task’s content decides its split: no task is in two splits, whatever seeds and bounds are asked for.',
      ),
  })
  .describe('Bounds of the generator are additional fields, such as `"max_balls": 2`.')
  .meta({ id: 'TaskGeneration' })

export type TaskGeneration = z.infer<typeof taskGenerationSchema>

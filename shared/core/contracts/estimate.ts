import { z } from 'zod'

export const figureSchema = z
  .object({
    expected: z.number().nonnegative(),
    at_most: z.number().nonnegative(),
  })
  .meta({ id: 'Figure' })

export type Figure = z.infer<typeof figureSchema>

const quantities = {
  model_calls: figureSchema,
  input_tokens: figureSchema,
  output_tokens: figureSchema,
  cost: figureSchema.nullable().describe('US dollars; null if the endpoint states no price.'),
}

export const estimatedLimitSchema = z
  .object({
    param: z.string().describe('The field of the request, such as `limits.cost`.'),
    value: z.number(),
    binds: z
      .enum(['expected', 'possible', 'no', 'unknown'])
      .describe(
        '`expected`: the limit probably takes effect. `possible`: only the upper bounds exceed it. `no`: nothing exceeds it. `unknown`: time is not estimated.',
      ),
  })
  .meta({ id: 'EstimatedLimit' })

export type EstimatedLimit = z.infer<typeof estimatedLimitSchema>

export const runEstimateSchema = z
  .object({
    object: z.literal('run_estimate'),
    episodes: figureSchema.describe(
      'Number of episodes that the limits of the run pay for. The others wait for a higher limit.',
    ),
    learning_episodes: z
      .int()
      .describe('Number of these episodes that learn for the others, on separate tasks.'),
    ...quantities,
    host_hours: figureSchema,
    per_episode: z
      .object(quantities)
      .describe('Estimate for an episode that plays a task, not one that learns.'),
    limits: z.array(estimatedLimitSchema),
    basis: z
      .object({
        from: z
          .enum(['earlier_runs', 'method'])
          .describe("Basis of the expected figures: your own earlier runs, or the method's structure."),
        runs: z.array(z.string()).describe('Ids of the earlier runs.'),
        episodes: z.int().describe('Number of episodes of the earlier runs.'),
        model_calls: z.string(),
        input_tokens: z.string(),
        output_tokens: z.string(),
        cost: z.string(),
        host_hours: z.string(),
      })
      .describe('The basis of each figure, in words.'),
  })
  .meta({ id: 'RunEstimate' })

export type RunEstimate = z.infer<typeof runEstimateSchema>

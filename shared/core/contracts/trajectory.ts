import { z } from 'zod'
import { jsonObjectSchema } from './json.ts'

const metricsSchema = z.object({
  prompt_tokens: z.int().optional(),
  completion_tokens: z.int().optional(),
  cached_tokens: z.int().optional(),
  cost_usd: z.number().optional(),
  extra: jsonObjectSchema.optional(),
})

const stepSchema = z.object({
  step_id: z.int().min(1),
  timestamp: z.iso.datetime().optional(),
  source: z.enum(['system', 'user', 'agent']),
  model_name: z.string().optional(),
  message: z.string(),
  tool_calls: z
    .array(z.object({ tool_call_id: z.string(), function_name: z.string(), arguments: jsonObjectSchema }))
    .optional(),
  observation: z
    .object({ results: z.array(z.object({ source_call_id: z.string().optional(), content: z.string() })) })
    .optional(),
  metrics: metricsSchema.optional(),
  extra: jsonObjectSchema.optional(),
})

/**
 * `trajectory.json`: the path from the root to the best node, in Harbor's Agent Trajectory Interchange Format. The
 * reward and the node of each step travel in `extra`, the format's field for unnamed data.
 */
export const trajectorySchema = z
  .object({
    schema_version: z.literal('ATIF-v1.6'),
    session_id: z.string(),
    agent: z.object({
      name: z.string(),
      version: z.string(),
      model_name: z.string().optional(),
      extra: jsonObjectSchema.optional(),
    }),
    steps: z.array(stepSchema).min(1),
    notes: z.string().optional(),
    final_metrics: z
      .object({
        total_prompt_tokens: z.int().optional(),
        total_completion_tokens: z.int().optional(),
        total_cached_tokens: z.int().optional(),
        total_cost_usd: z.number().optional(),
        total_steps: z.int().optional(),
        extra: jsonObjectSchema.optional(),
      })
      .optional(),
    extra: jsonObjectSchema.optional(),
  })
  .meta({ id: 'Trajectory' })

export type Trajectory = z.infer<typeof trajectorySchema>
export type TrajectoryStep = Trajectory['steps'][number]

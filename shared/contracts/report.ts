import { z } from 'zod'
import { episodeCountsSchema } from './run.ts'
import { usageSchema } from './usage.ts'

/** An estimate with its 95 % interval. `method` names how the interval was reckoned; the bounds are null below two tasks. */
export const estimateSchema = z
  .object({
    mean: z.number().nullable(),
    stderr: z.number().nullable(),
    ci: z
      .object({ lower: z.number(), upper: z.number(), level: z.literal(0.95), method: z.string() })
      .nullable(),
    count: z.int().describe('Episodes that count.'),
    tasks: z.int().describe('Tasks they belong to; the interval treats episodes of one task as one cluster.'),
  })
  .meta({ id: 'Estimate' })

export type Estimate = z.infer<typeof estimateSchema>

export const taskReportSchema = z.object({
  task: z.string(),
  episodes: z.int(),
  scored: z.int(),
  successes: z.int(),
  mean_reward: z.number().nullable(),
  steps: z.number(),
  tokens: z.int(),
  cost: z.number().nullable(),
})

/** What a run came to. Episodes that ended with an error are listed, and never counted in a mean. */
export const reportSchema = z
  .object({
    object: z.literal('report'),
    run: z.string(),
    simulated: z
      .boolean()
      .describe('The numbers come from the simulated model: they prove plumbing, not quality.'),
    episodes: episodeCountsSchema,
    success_rate: estimateSchema,
    reward: estimateSchema,
    progress_rate: estimateSchema.describe(
      'How much of the goal the answers reached (AgentBoard, section 3.1).',
    ),
    grounding_accuracy: estimateSchema.describe(
      'The share of actions that were understood and possible, by episode (AgentBoard, section 3.2).',
    ),
    learning_episodes: z
      .int()
      .describe('Episodes that learned for the others: they are in no mean and in no task.'),
    mean_steps: z.number().nullable(),
    mean_path_length: z
      .number()
      .nullable()
      .describe('Actions of the agent on the path that gave the reward; a learned action is one.'),
    mean_primitive_steps: z
      .number()
      .nullable()
      .describe('Environment steps on that path, those inside learned actions counted one by one.'),
    unparsable: z
      .int()
      .describe('Answers of judges and the like that could not be read and were asked for again.'),
    mean_nodes: z.number().nullable(),
    mean_tokens: z.number().nullable(),
    mean_cost: z.number().nullable(),
    usage: usageSchema,
    lost_calls: z.int(),
    errors: z.array(
      z.object({ episode: z.string(), task: z.string(), name: z.string(), message: z.string() }),
    ),
    limits: z.record(z.string(), z.int()).describe('How many episodes each limit ended.'),
    tasks: z.array(taskReportSchema),
  })
  .meta({ id: 'Report' })

export type Report = z.infer<typeof reportSchema>

export const compareRequestSchema = z
  .strictObject({
    runs: z.array(z.string()).min(2).max(20).describe('The first is the baseline.'),
  })
  .meta({ id: 'CompareRequest' })

/** Runs side by side on the tasks they share, each compared with the first by paired differences. */
export const comparisonSchema = z
  .object({
    object: z.literal('comparison'),
    simulated: z.boolean(),
    shared_tasks: z.int(),
    runs: z.array(
      z.object({
        run: z.string(),
        name: z.string().nullable(),
        method: z.string(),
        model: z.string(),
        success_rate: estimateSchema,
        reward: estimateSchema,
        usage: usageSchema,
        learning: usageSchema.describe(
          'What its learning episodes took. They play none of the shared tasks, so no other figure holds it.',
        ),
        mean_steps: z.number().nullable(),
        mean_path_length: z.number().nullable().describe('Actions of the agent on the path of the answer.'),
        difference: z
          .object({
            success_rate: estimateSchema,
            reward: estimateSchema,
            won: z.int(),
            lost: z.int(),
            tied: z.int(),
          })
          .nullable()
          .describe('This run minus the baseline, paired by task; null for the baseline.'),
      }),
    ),
  })
  .meta({ id: 'Comparison' })

export type Comparison = z.infer<typeof comparisonSchema>

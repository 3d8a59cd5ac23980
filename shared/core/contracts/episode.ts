import { z } from 'zod'
import { answerCountsSchema } from './answers.ts'
import { endReasonSchema } from './end-reason.ts'
import { lastProblemSchema } from './model-failure.ts'
import { usageSchema } from './usage.ts'

export { episodeId, episodeIndex } from './episode-id.ts'

/** An episode's end. Only `succeeded`, `failed` and `limited` can carry a reward. */
export const episodeEndSchema = z.enum(['succeeded', 'failed', 'limited', 'errored', 'cancelled'])

export type EpisodeEnd = z.infer<typeof episodeEndSchema>

export const episodeStatusSchema = z.enum(['queued', 'running', ...episodeEndSchema.options])

export type EpisodeStatus = z.infer<typeof episodeStatusSchema>

export const episodeErrorSchema = z.object({
  name: z.string(),
  message: z.string(),
  effect: z.string().nullable().describe('The failed effect, if there is one.'),
  code: z
    .string()
    .exactOptional()
    .describe('The error code of the API, such as `replay_diverged`, if it is one of the API’s errors.'),
})

export type EpisodeError = z.infer<typeof episodeErrorSchema>

/**
 * An episode's result: the whole of `result.json`. A failure of the service is never a reward. `reward` is null
 * unless the episode ended as `succeeded`, `failed`, or as `limited` by steps, turns or tokens. An episode that plays
 * no task, because it learns or asks about another, has none however it ended.
 */
export const episodeResultSchema = z
  .object({
    status: episodeEndSchema,
    reward: z.number().nullable(),
    success: z.boolean().nullable(),
    limit: z.string().nullable().describe('The limit that ended the episode.'),
    error: episodeErrorSchema.nullable(),
    steps: z.int().describe('Number of environment steps taken.'),
    nodes: z.int().describe('Number of nodes in the tree, including the root.'),
    path_length: z.int().describe('Number of actions on the path that gave the reward.'),
    primitive_steps: z
      .int()
      .describe(
        'Number of environment steps on the path that gave the reward. A learned action may take several, so there can be more steps than actions.',
      ),
    progress_rate: z
      .number()
      .nullable()
      .describe(
        'The best share of the goal reached on the path that gave the reward, 0 to 1 (AgentBoard, section 3.1).',
      ),
    grounding_accuracy: z
      .number()
      .nullable()
      .describe('The share of its actions that were understood and possible (AgentBoard, section 3.2).'),
    invalid_actions: z
      .int()
      .nullable()
      .describe(
        'Number of misunderstood or impossible actions, over the whole tree; null if the episode is older than this count.',
      ),
    unparsable: z
      .int()
      .describe('Unreadable answers of judges and similar roles, which were requested again.'),
    answers: answerCountsSchema
      .exactOptional()
      .describe('All answers of models, counted by fault; absent if the episode is older than these counts.'),
    usage: usageSchema.describe('Usage of the calls whose answers the episode used.'),
    working_seconds: z.number(),
    attempt: z.int(),
  })
  .meta({ id: 'EpisodeResult' })

export type EpisodeResult = z.infer<typeof episodeResultSchema>

export const episodePurposeSchema = z
  .enum(['play', 'learn', 'annotate'])
  .describe(
    '`learn`: it runs before the other episodes and learns for them. `annotate`: it asks a model about another episode, for a dataset or a score. Neither has a reward or counts in a mean.',
  )

export type EpisodePurpose = z.infer<typeof episodePurposeSchema>

export const episodeSchema = z
  .object({
    id: z.string(),
    object: z.literal('episode'),
    run: z.string(),
    index: z.int(),
    task: z
      .string()
      .describe(
        'The task it plays; `learn:` and a group of tasks if it learns for them; `{source}/{episode}` if it asks about that episode.',
      ),
    epoch: z.int(),
    purpose: episodePurposeSchema,
    policy: z
      .string()
      .exactOptional()
      .describe('The policy version that it plays, in a rollout; absent before its start.'),
    status: episodeStatusSchema,
    starts: z.int().describe('Number of times a worker started it.'),
    errors: z.int().describe('Number of retries after an error.'),
    last_problem: lastProblemSchema
      .nullable()
      .optional()
      .describe(
        'The problem because of which its model calls get no answer; null while they get answers, and after its end.',
      ),
    result: episodeResultSchema
      .nullable()
      .describe('Result of its last end, also while it continues or repeats; null if it never ended.'),
  })
  .meta({ id: 'Episode' })

export type Episode = z.infer<typeof episodeSchema>

/** The sort figures of a list of episodes. Episodes without the figure come last, in either direction. */
export const episodeOrderSchema = z.enum([
  'index',
  'task',
  'reward',
  'steps',
  'nodes',
  'model_calls',
  'tokens',
  'cost',
  'working_seconds',
])

export type EpisodeOrder = z.infer<typeof episodeOrderSchema>

export const episodeFilterSchema = z.object({
  status: episodeStatusSchema.optional().describe('Only episodes with this status.'),
  task: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Only episodes whose task contains this text (ignores case).'),
  reason: endReasonSchema.optional().describe('Only episodes that ended for this reason.'),
  sort: episodeOrderSchema.default('index').describe('The field to sort by; ties are sorted by index.'),
  order: z.enum(['asc', 'desc']).default('asc'),
})

export type EpisodeFilter = z.infer<typeof episodeFilterSchema>

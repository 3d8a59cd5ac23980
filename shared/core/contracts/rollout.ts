import { z } from 'zod'
import { rolloutRowSchema, rolloutTreeRowSchema } from './dataset-row.ts'
import { policyVersionSchema } from './group-settings.ts'
import { jsonObjectSchema } from './json.ts'
import { leftOutReasons } from './left-out-reasons.ts'
import { modelChoiceSchema } from './model-choice.ts'
import { episodeCountsSchema, runRequestSchema, runStatusSchema } from './run.ts'
import { usageSchema } from './usage.ts'

export const rolloutRequestSchema = runRequestSchema
  .omit({ epochs: true, max_parallel: true, preset: true, record: true })
  .extend({
    group_size: z
      .int()
      .min(1)
      .max(1000)
      .default(8)
      .describe('Episodes of each task: the members of its group.'),
    version: policyVersionSchema
      .default('0')
      .describe('The trainer’s name for the weights that the endpoint serves, such as a step.'),
    timeout: z
      .number()
      .positive()
      .optional()
      .describe(
        'Seconds of working time of an episode; a longer one is missing from its group as `timed_out`.',
      ),
    in_flight: z
      .int()
      .min(1)
      .max(10_000)
      .default(64)
      .describe(
        'Maximum number of episodes queued or played at once. Groups begin in the order of their tasks.',
      ),
    record: z
      .enum(['tokens', 'text'])
      .default('tokens')
      .describe('`text`: groups have rewards and trees but no rows, for endpoints that return no tokens.'),
    credit: jsonObjectSchema
      .default({})
      .describe(
        'Parameters of the dataset kind `rollouts` for the rows of groups, such as `{"advantage": "tree-grpo"}`. `flat` is `keep` unless it is given.',
      ),
  })
  .meta({ id: 'RolloutRequest' })

export type RolloutRequest = z.infer<typeof rolloutRequestSchema>
export type RolloutRequestInput = z.input<typeof rolloutRequestSchema>

export const rolloutRunSchema = z
  .object({
    id: z.string(),
    object: z.literal('rollout'),
    run: z.string().describe('The run that plays its episodes: its request, costs, pause and resume.'),
    status: runStatusSchema,
    status_reason: z.string().nullable(),
    created_at: z.iso.datetime(),
    ended_at: z.iso.datetime().nullable(),
    version: z.string().describe('The policy version that new episodes play.'),
    group_size: z.int(),
    in_flight: z.int(),
    groups: z.object({
      total: z.int(),
      finished: z.int().describe('Number of groups in the event stream.'),
      complete: z.int().describe('Finished groups whose members all have a reward.'),
    }),
    episodes: episodeCountsSchema,
    usage: usageSchema,
  })
  .meta({ id: 'Rollout' })

export type RolloutRun = z.infer<typeof rolloutRunSchema>

export const missingReasonSchema = z
  .enum(['errored', 'cut', 'timed_out', 'cancelled'])
  .describe(
    '`errored`: the service or the model failed. `cut`: a limit on money ended it. `timed_out`: it took longer than `timeout`. `cancelled`: the rollout was cancelled before its end.',
  )

export const groupMemberSchema = z
  .object({
    episode: z.string(),
    reward: z.number().nullable().describe('Null: the member is missing, and not in the statistics.'),
    missing: missingReasonSchema.nullable(),
    detail: z.string().nullable().describe('The error or the limit of a missing member.'),
    version: z.string().nullable().describe('The policy version that it played; null if it never began.'),
  })
  .meta({ id: 'GroupMember' })

export const rolloutGroupSchema = z
  .object({
    object: z.literal('rollout_group'),
    rollout: z.string(),
    index: z.int().describe('Position of its task among the tasks of the rollout.'),
    task: z.string(),
    status: z.enum(['complete', 'incomplete']).describe('`complete`: every member has a reward.'),
    members: z.array(groupMemberSchema),
    versions: z.array(z.string()).describe('The policy versions that its members played.'),
    rewards: z
      .object({ mean: z.number(), std: z.number().describe('Population standard deviation.') })
      .nullable()
      .describe('Statistics over the members with a reward; null if none has.'),
    flat: z.boolean().describe('True if all rewards are equal, so that chains give no signal.'),
  })
  .meta({ id: 'RolloutGroup' })

export type RolloutGroup = z.infer<typeof rolloutGroupSchema>

/** A group's place in the event stream: `sequence` counts finished groups from 1, the same at each reading. */
export const groupEventSchema = z
  .object({ type: z.literal('group.finished'), sequence: z.int(), group: rolloutGroupSchema })
  .meta({ id: 'GroupEvent' })

export type GroupEvent = z.infer<typeof groupEventSchema>

export const rowsFormSchema = z
  .enum(['rollouts', 'rollout-trees'])
  .default('rollouts')
  .describe('`rollouts`: a row a branch. `rollout-trees`: a row a tree, each token once.')

const leftOutSchema = z.object({
  episode: z.string(),
  reason: z.enum(Object.keys(leftOutReasons) as [keyof typeof leftOutReasons]),
})

export const groupRowsSchema = rolloutGroupSchema
  .extend({
    rows: z.array(
      z.object({
        episode: z.string(),
        version: z.string().nullable().describe('The policy version of its episode.'),
        row: z.union([rolloutRowSchema, rolloutTreeRowSchema]),
      }),
    ),
    left_out: z.array(leftOutSchema).describe('Members with a reward that give no row.'),
  })
  .meta({ id: 'GroupRows' })

export type GroupRows = z.infer<typeof groupRowsSchema>

export const policyChangeSchema = z
  .strictObject({
    version: policyVersionSchema,
    model: z
      .strictObject(modelChoiceSchema.pick({ endpoint: true, id: true }).partial().shape)
      .default({})
      .describe(
        'New endpoint or model name, such as the `id` of an adapter. Default: unchanged, if the endpoint serves the new weights under the old name.',
      ),
  })
  .meta({ id: 'PolicyChange' })

export type PolicyChangeRequest = z.infer<typeof policyChangeSchema>
export type PolicyChangeInput = z.input<typeof policyChangeSchema>

import { z } from 'zod'
import { jsonObjectSchema } from '../../core/contracts/json.ts'
import { outsideFacts, splitName, taskName, webAddress } from '../tools/outside-facts.ts'
import { rewardRangeSchema } from '../tools/outside-reward.ts'

const seedRangeSchema = z
  .tuple([z.int().nonnegative(), z.int().positive().max(1_000_000)])
  .refine(([from, to]) => from < to, 'A range goes from its first seed up to, and without, its second.')

const openenvTaskSchema = z.strictObject({
  id: taskName.describe('Id of the task in Espalier.'),
  reset: jsonObjectSchema
    .default({})
    .describe(
      'Fields of the reset request, such as {"task": "level-3"}. The run\'s seed is sent as `seed` unless one is given here.',
    ),
  description: z.string().max(500).optional().describe('One-line description for readers.'),
  max_steps: z
    .int()
    .positive()
    .optional()
    .describe('Maximum length of a trajectory of this task, in actions.'),
})

export const openenvRegistrationSchema = z.strictObject({
  kind: z.literal('openenv'),
  address: webAddress.describe(
    'Address of the server with its base path; /ws, /schema and /metadata are below it.',
  ),
  tasks: z
    .record(splitName, z.union([seedRangeSchema, z.array(openenvTaskSchema).min(1).max(100_000)]))
    .refine((splits) => Object.keys(splits).length > 0, 'Name at least one split.')
    .default({ test: [0, 100] })
    .describe('Tasks of each split: a range of seeds [from, to), or a list of resets.'),
  actions: z
    .enum(['text', 'json', 'tools'])
    .optional()
    .describe(
      'Form of an action: text, a JSON object, or the call of a tool. Default: derived from the schema.',
    ),
  action_field: z
    .string()
    .min(1)
    .optional()
    .describe('Field of an action that holds the text. Default: the only field, or the only required one.'),
  observation_fields: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('Fields of an observation to show. Default: all but metadata.'),
  reward: z
    .enum(['sum', 'last', 'max'])
    .default('sum')
    .describe('Reward of an episode: the sum of its step rewards, the last one, or the highest.'),
  reward_range: rewardRangeSchema,
  step_errors: z
    .enum(['fail', 'invalid_action'])
    .default('fail')
    .describe(
      'Handling of an environment error in a step: fail and retry the episode, or count an invalid action.',
    ),
  ...outsideFacts,
})

export type OpenenvRegistration = z.infer<typeof openenvRegistrationSchema>

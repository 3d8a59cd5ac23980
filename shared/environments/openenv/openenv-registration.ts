import { z } from 'zod'
import { jsonObjectSchema } from '../../core/contracts/json.ts'
import { outsideFacts, splitName, taskName, webAddress } from '../tools/outside-facts.ts'
import { rewardRangeSchema } from '../tools/outside-reward.ts'

const seedRangeSchema = z
  .tuple([z.int().nonnegative(), z.int().positive().max(1_000_000)])
  .refine(([from, to]) => from < to, 'A range goes from its first seed up to, and without, its second.')

const openenvTaskSchema = z.strictObject({
  id: taskName.describe('What the task is called here.'),
  reset: jsonObjectSchema
    .default({})
    .describe(
      'The fields of its reset, such as {"task": "level-3"}. The run\'s seed is sent as `seed` unless one is given here.',
    ),
  description: z.string().max(500).optional().describe('One line for people.'),
  max_steps: z.int().positive().optional().describe('How long a trajectory of this task may get.'),
})

export const openenvRegistrationSchema = z.strictObject({
  kind: z.literal('openenv'),
  address: webAddress.describe(
    'Where the server is, with the path that it stands under; /ws, /schema and /metadata are below it.',
  ),
  tasks: z
    .record(splitName, z.union([seedRangeSchema, z.array(openenvTaskSchema).min(1).max(100_000)]))
    .refine((splits) => Object.keys(splits).length > 0, 'Name at least one split.')
    .default({ test: [0, 100] })
    .describe('The tasks of each split: a range of seeds [from, to), or a list of resets.'),
  actions: z
    .enum(['text', 'json', 'tools'])
    .optional()
    .describe(
      'How an agent writes an action: as a text, as a JSON object, as the call of a tool. Default: by the schema.',
    ),
  action_field: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The field of an action that the text is. Default: the only one, or the only one that is required.',
    ),
  observation_fields: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('The fields of an observation that are shown. Default: all but metadata.'),
  reward: z
    .enum(['sum', 'last', 'max'])
    .default('sum')
    .describe('What an episode earns: the sum of the rewards of its steps, the last one, or the highest.'),
  reward_range: rewardRangeSchema,
  step_errors: z
    .enum(['fail', 'invalid_action'])
    .default('fail')
    .describe(
      'What an error of the environment in a step is: a failure of the episode, which is tried again, or an invalid action.',
    ),
  ...outsideFacts,
})

export type OpenenvRegistration = z.infer<typeof openenvRegistrationSchema>

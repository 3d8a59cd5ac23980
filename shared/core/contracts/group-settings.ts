import { z } from 'zod'
import { jsonObjectSchema } from './json.ts'

export const policyVersionSchema = z.string().min(1).max(200)

export const groupSettingsSchema = z
  .object({
    group_size: z.int().describe('Number of episodes of each task.'),
    version: z.string().describe('The policy version that new episodes play.'),
    policies: z
      .array(z.object({ version: policyVersionSchema, announced_at: z.iso.datetime() }))
      .exactOptional()
      .describe('The policy versions in the order of their announcements; absent if there is only one.'),
    credit: jsonObjectSchema.describe('Parameters of the dataset kind `rollouts`, for the rows of groups.'),
  })
  .meta({ id: 'GroupSettings' })

export type GroupSettings = z.infer<typeof groupSettingsSchema>

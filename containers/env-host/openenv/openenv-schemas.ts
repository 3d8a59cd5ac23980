import { z } from 'zod'

const metadata = z.record(z.string(), z.json()).default({})

export const actionSchema = z.strictObject({
  action: z.string().describe('What to do, as the rules of the environment have it written.'),
  metadata,
})

export const observationSchema = z.strictObject({
  text: z.string().describe('What the environment says.'),
  valid: z.boolean().describe('Whether the action was understood and could be taken.'),
  progress: z.number().describe('How much of the goal was reached at best so far, 0 to 1.'),
})

export const stateSchema = z.looseObject({
  episode_id: z.string().nullable(),
  step_count: z.int().nonnegative(),
  environment: z.string(),
  task: z.string().nullable(),
  seed: z.int().nullable(),
})

export type OpenenvState = z.infer<typeof stateSchema>

export const resetSchema = z.looseObject({
  seed: z.int().nonnegative().nullish(),
  episode_id: z.string().max(255).nullish(),
  task: z
    .string()
    .nullish()
    .describe('A task by its id. Without it, the seed takes one, or the first is played.'),
})

export type OpenenvReset = z.infer<typeof resetSchema>

export const stepSchema = z.looseObject({
  action: actionSchema,
  timeout_s: z.number().positive().nullish(),
  request_id: z.string().max(255).nullish(),
})

export const messageSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('reset'), data: resetSchema.default({}) }),
  z.strictObject({ type: z.literal('step'), data: actionSchema }),
  z.strictObject({ type: z.literal('state') }),
  z.strictObject({ type: z.literal('close') }),
  z.strictObject({ type: z.literal('mcp'), data: z.record(z.string(), z.json()) }),
])

export type OpenenvMessage = z.infer<typeof messageSchema>

export interface OpenenvResult {
  observation: z.infer<typeof observationSchema>
  reward: number | null
  done: boolean
}

export function describeSchemas(): { action: object; observation: object; state: object } {
  const observation = observationSchema.extend({
    done: z.boolean().default(false),
    reward: z.union([z.boolean(), z.number()]).nullable().default(null),
    metadata,
  })
  const toSchema = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input' })
  return { action: toSchema(actionSchema), observation: toSchema(observation), state: toSchema(stateSchema) }
}

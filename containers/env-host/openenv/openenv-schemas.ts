import { z } from 'zod'

/** What OpenEnv's base classes carry along. */
const metadata = z.record(z.string(), z.json()).default({})

/** One action of a text environment, as an agent writes it. */
export const actionSchema = z.strictObject({
  action: z.string().describe('What to do, as the rules of the environment have it written.'),
  metadata,
})

/** What a reset or a step shows. `reward` and `done` stand beside it in every answer. */
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

/** What an episode starts with. OpenEnv lets an environment take fields of its own: here it is `task`. */
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

/** What a client says over `/ws`. */
export const messageSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('reset'), data: resetSchema.default({}) }),
  z.strictObject({ type: z.literal('step'), data: actionSchema }),
  z.strictObject({ type: z.literal('state') }),
  z.strictObject({ type: z.literal('close') }),
  z.strictObject({ type: z.literal('mcp'), data: z.record(z.string(), z.json()) }),
])

export type OpenenvMessage = z.infer<typeof messageSchema>

/** The answer to a reset or a step, with nothing beside what OpenEnv names. */
export interface OpenenvResult {
  observation: z.infer<typeof observationSchema>
  reward: number | null
  done: boolean
}

/** The schemas as `GET /schema` answers them. An observation's has what OpenEnv's base class adds. */
export function describeSchemas(): { action: object; observation: object; state: object } {
  const observation = observationSchema.extend({
    done: z.boolean().default(false),
    reward: z.union([z.boolean(), z.number()]).nullable().default(null),
    metadata,
  })
  const toSchema = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input' })
  return { action: toSchema(actionSchema), observation: toSchema(observation), state: toSchema(stateSchema) }
}

import { z } from 'zod'
import { jsonObjectSchema } from './json.ts'
import { shownObservationPartSchema } from './node-detail.ts'
import { treeToolSchema } from './tree.ts'

export const playRequestSchema = z
  .strictObject({
    environment: z.string().min(1).max(64),
    task: z.string().min(1).max(1000),
    seed: z.int().min(0).max(2_147_483_647).default(0),
    data: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('A data pack, by digest or name, or `builtin`. Default: the newest pack.'),
    environment_options: jsonObjectSchema
      .optional()
      .describe('The environment’s rules, as a run sets them. Default: the environment’s own.'),
  })
  .meta({ id: 'PlayRequest' })

export type PlayRequest = z.infer<typeof playRequestSchema>
export type PlayRequestInput = z.input<typeof playRequestSchema>

export const playTurnSchema = z
  .strictObject({
    from: z.int().nonnegative().describe('Number of steps to keep; later steps are undone.'),
    action: z
      .string()
      .max(100_000)
      .optional()
      .describe('The action’s text. Without it and without `call`, the session only goes back.'),
    call: z
      .strictObject({ name: z.string().min(1).max(64), arguments: jsonObjectSchema })
      .optional()
      .describe('Call of one of the session’s `tools`, instead of `action`.'),
    thought: z
      .string()
      .max(20_000)
      .optional()
      .describe('The person’s reason for the action; the saved trajectory shows it before the action.'),
  })
  .meta({ id: 'PlayTurn' })

export type PlayTurn = z.infer<typeof playTurnSchema>

export const playStepSchema = z
  .object({
    action: z.string().nullable().describe('Null: the start of the task.'),
    thought: z.string().nullable(),
    observation: z.array(shownObservationPartSchema),
    reward: z
      .number()
      .nullable()
      .describe(
        'The reward of the episode, if it ended here; null if a model would have to judge it: play sessions ask no models.',
      ),
    done: z.boolean().describe('The environment ended the task here.'),
    valid: z.boolean().describe('The environment understood the action and could take it.'),
    progress: z.number(),
  })
  .meta({ id: 'PlayStep' })

export type PlayStep = z.infer<typeof playStepSchema>

export const playSessionSchema = z
  .object({
    id: z.string(),
    object: z.literal('play_session'),
    environment: z.string(),
    data: z.string().nullable().describe('The digest of the task’s data pack; null: built-in data.'),
    task: z.object({ id: z.string(), description: z.string() }),
    seed: z.int(),
    rules: z.string().describe('The rules as an agent reads them.'),
    tools: z.array(treeToolSchema).describe('The actions as tools, if the environment declares any.'),
    valid_actions: z
      .array(z.string())
      .nullable()
      .describe('The actions that are possible now; null: the environment does not list them.'),
    success_threshold: z.number(),
    steps: z.array(playStepSchema).min(1).describe('The start of the task, then each step.'),
    most_steps: z.int(),
    can_undo: z.boolean(),
    expires_at: z.iso.datetime().describe('Time at which the session expires without activity.'),
  })
  .meta({ id: 'PlaySession' })

export type PlaySession = z.infer<typeof playSessionSchema>

export const playSaveSchema = z
  .strictObject({ name: z.string().max(200).optional().describe('Display name.') })
  .meta({ id: 'PlaySave' })

export type PlaySave = z.infer<typeof playSaveSchema>

import { z } from 'zod'
import { jsonObjectSchema } from './json.ts'
import { modelQuestionsSchema } from './model-question.ts'
import { mostPictures, sentPictureSchema } from './picture.ts'

export const sessionIdSchema = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)

/** The right to a session: a higher token takes it over, and the session refuses a lower one from then on. */
export const sessionTokenSchema = z.int().positive()

const stepResult = {
  step_index: z.int().nonnegative().describe('How many steps were taken.'),
  observation: z.string(),
  pictures: z
    .array(sentPictureSchema)
    .max(mostPictures)
    .exactOptional()
    .describe('What is seen beside the text, such as a screenshot. No part of the path’s digest.'),
  questions: modelQuestionsSchema
    .exactOptional()
    .describe('What models are to be asked before the reward and the observation hold. Absent: nothing.'),
  runtime: z
    .string()
    .max(200)
    .exactOptional()
    .describe(
      'What played the environment, with its version, where answers may depend on it, such as a browser; of a reset. No part of the path’s digest.',
    ),
  screen: z
    .string()
    .max(4000)
    .exactOptional()
    .describe(
      'A sketch of what the pictures show, for environments that compare a replay by it. No part of the path’s digest.',
    ),
  trace: z
    .base64()
    .max(512 * 1024)
    .exactOptional()
    .describe(
      'The requests of the pages so far, as an HTTP Archive in gzip, if the reward was computed from them. No part of the path’s digest.',
    ),
  reward: z.number(),
  done: z.boolean(),
  valid: z.boolean().describe('Whether the action was understood and could be taken; true after a reset.'),
  progress: z.number().describe('The best share of the goal so far, 0 to 1.'),
  state_hash: z
    .string()
    .nullable()
    .describe(
      'Names the state where it is a value: equal states have equal names. Null where states have no hash.',
    ),
  path: z.string().describe('The digest of the path: the task, the seed, and every action with its answer.'),
}

export const sessionSnapshotSchema = z.strictObject({
  ...stepResult,
  state: jsonObjectSchema,
  digest: z.string().describe('Over all of the above and the task, so that a damaged snapshot is refused.'),
})

export type SessionSnapshot = z.infer<typeof sessionSnapshotSchema>

export const createSessionSchema = z.strictObject({
  id: sessionIdSchema
    .optional()
    .describe(
      'Makes the request repeatable: the same again has the same answer, a higher token starts anew.',
    ),
  environment: z.string().min(1).max(64),
  task: z.string().min(1).max(256),
  seed: z.int(),
  token: sessionTokenSchema,
  snapshot: sessionSnapshotSchema.optional(),
  files: z
    .record(z.string().max(512), z.string())
    .optional()
    .describe('Of the data pack that the task is from: the files it needs, as text, by path.'),
  options: jsonObjectSchema
    .optional()
    .describe('What is set of the environment’s rules; by default as the environment has it.'),
})

export type CreateSession = z.infer<typeof createSessionSchema>

export const stepSessionSchema = z.strictObject({
  action: z.string(),
  step_index: z.int().nonnegative(),
  token: sessionTokenSchema,
  from: z
    .string()
    .optional()
    .describe('The digest of the path to step on from; a session that stands elsewhere refuses the step.'),
  seen: z
    .string()
    .optional()
    .describe(
      'The observation that the action was chosen by, where the session showed another: what the action names is found by it.',
    ),
  seen_screen: z.string().max(4000).optional().describe('As `seen`: the sketch of its pictures.'),
  snapshot: z.boolean().optional().describe('Whether to answer with a snapshot of where the step led.'),
})

export type StepSession = z.infer<typeof stepSessionSchema>

export const holdSessionSchema = z.strictObject({ token: sessionTokenSchema })

/**
 * `POST /sessions/{id}/restore`: returns the session to a snapshot of its task, or to the task's start. It forgets
 * the steps before that.
 */
export const restoreSessionSchema = z.strictObject({
  token: sessionTokenSchema,
  snapshot: sessionSnapshotSchema.optional(),
})

export type RestoreSession = z.infer<typeof restoreSessionSchema>

export const forkSessionSchema = z.strictObject({
  token: sessionTokenSchema,
  fork: z.strictObject({ id: sessionIdSchema.optional(), token: sessionTokenSchema }),
})

export type ForkSession = z.infer<typeof forkSessionSchema>

export const sessionSchema = z.object({
  object: z.literal('session'),
  id: sessionIdSchema,
  environment: z.string(),
  task: z.string(),
  seed: z.int(),
  ...stepResult,
})

export type Session = z.infer<typeof sessionSchema>

export const sessionStepSchema = z.object({
  object: z.literal('session.step'),
  session: sessionIdSchema,
  ...stepResult,
  step_index: z.int().nonnegative().describe('Which step it was: the number of steps before it.'),
  snapshot: sessionSnapshotSchema.optional().describe('Where it was asked for and the environment can.'),
})

export const sessionActionsSchema = z.object({
  object: z.literal('session.actions'),
  session: sessionIdSchema,
  actions: z.array(z.string()).nullable(),
})

export type SessionStep = z.infer<typeof sessionStepSchema>

export const hostHealthSchema = z.object({
  object: z.literal('health'),
  status: z.enum(['ok', 'draining']).describe('A draining host takes no new session and soon leaves.'),
  environments: z.array(z.string()),
  slots: z.int().nonnegative().describe('How many sessions it holds at most.'),
  sessions: z.int().nonnegative(),
  free_slots: z.int().nonnegative(),
  idle_for: z.number().nonnegative().describe('Seconds since it last had a session.'),
})

export type HostHealth = z.infer<typeof hostHealthSchema>

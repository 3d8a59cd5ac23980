import { z } from 'zod'
import { jsonObjectSchema } from './json.ts'
import { modelQuestionsSchema } from './model-question.ts'
import { mostPictures, sentPictureSchema } from './picture.ts'

export const sessionIdSchema = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)

/** The right to a session: a higher token takes it over, and the session refuses a lower one from then on. */
export const sessionTokenSchema = z.int().positive()

const stepResult = {
  step_index: z.int().nonnegative().describe('Number of steps taken.'),
  observation: z.string(),
  pictures: z
    .array(sentPictureSchema)
    .max(mostPictures)
    .exactOptional()
    .describe('Pictures beside the text, such as a screenshot. Not part of the path’s digest.'),
  questions: modelQuestionsSchema
    .exactOptional()
    .describe('Questions to models that complete the reward and the observation. Absent: none.'),
  runtime: z
    .string()
    .max(200)
    .exactOptional()
    .describe(
      'The program that played the environment, with its version, if answers may depend on it, such as a browser; only after a reset. Not part of the path’s digest.',
    ),
  screen: z
    .string()
    .max(4000)
    .exactOptional()
    .describe(
      'A sketch of the pictures’ content, for environments that compare replays by it. Not part of the path’s digest.',
    ),
  trace: z
    .base64()
    .max(512 * 1024)
    .exactOptional()
    .describe(
      'The requests of the pages so far, as an HTTP Archive in gzip, if the reward was computed from them. Not part of the path’s digest.',
    ),
  reward: z.number(),
  done: z.boolean(),
  valid: z
    .boolean()
    .describe('True if the environment understood the action and could take it; true after a reset.'),
  progress: z.number().describe('The best share of the goal so far, 0 to 1.'),
  state_hash: z
    .string()
    .nullable()
    .describe('Hash of the state: equal states have equal hashes. Null if states have no hash.'),
  path: z.string().describe('The digest of the path: the task, the seed, and every action with its answer.'),
}

export const sessionSnapshotSchema = z.strictObject({
  ...stepResult,
  state: jsonObjectSchema,
  digest: z.string().describe('Digest of the fields above and the task; a damaged snapshot is refused.'),
})

export type SessionSnapshot = z.infer<typeof sessionSnapshotSchema>

export const createSessionSchema = z.strictObject({
  id: sessionIdSchema
    .optional()
    .describe(
      'Makes the request idempotent: a repeat gets the same answer, and a higher token starts a new session.',
    ),
  environment: z.string().min(1).max(64),
  task: z.string().min(1).max(256),
  seed: z.int(),
  token: sessionTokenSchema,
  snapshot: sessionSnapshotSchema.optional(),
  files: z
    .record(z.string().max(512), z.string())
    .optional()
    .describe('Files of the data pack that the task needs, as text, by path.'),
  options: jsonObjectSchema
    .optional()
    .describe('Settings of the environment’s rules. Default: the environment’s own.'),
})

export type CreateSession = z.infer<typeof createSessionSchema>

export const stepSessionSchema = z.strictObject({
  action: z.string(),
  step_index: z.int().nonnegative(),
  token: sessionTokenSchema,
  from: z
    .string()
    .optional()
    .describe('Digest of the path from which to step; a session on another path refuses the step.'),
  seen: z
    .string()
    .optional()
    .describe(
      'The observation from which the agent chose the action, if the session showed another one; elements that the action names are looked up in it.',
    ),
  seen_screen: z.string().max(4000).optional().describe('Sketch of the pictures of `seen`.'),
  snapshot: z.boolean().optional().describe('True to include a snapshot of the state after the step.'),
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
  step_index: z.int().nonnegative().describe('Index of the step: the number of steps before it.'),
  snapshot: sessionSnapshotSchema.optional().describe('Only if requested and supported by the environment.'),
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
  slots: z.int().nonnegative().describe('Maximum number of sessions.'),
  sessions: z.int().nonnegative(),
  free_slots: z.int().nonnegative(),
  idle_for: z.number().nonnegative().describe('Seconds since it last had a session.'),
})

export type HostHealth = z.infer<typeof hostHealthSchema>

import { z } from 'zod'
import { programLanguageSchema } from './program-language.ts'

export const actionLineageSchema = z.object({
  round: z.int().nonnegative().describe('0: when it was first written; n: after the n-th revision.'),
  candidate: z.int().nonnegative(),
  change: z.enum(['created', 'updated', 'noted']),
  reason: z
    .string()
    .nullable()
    .describe('The reason for the change, in the words of the model that made it.'),
})

export const libraryScoresSchema = z.object({
  score: z.number().describe('Value of the criterion that chose the set.'),
  success: z.number().describe('Mean success over training tasks.'),
  step_accuracy: z
    .number()
    .describe('Calls that ended well over all calls of learned actions; 0 without calls.'),
  call_ratio: z.number().describe('Calls that ended well over all steps of the agent.'),
})

export const learnedActionSchema = z
  .object({
    name: z.string(),
    group: z.string().nullable().describe('The group of tasks it was learned for; null: all.'),
    parameters: z.array(z.string()),
    description: z.string(),
    code: z
      .string()
      .describe('A function declaration; `act(text)` takes one of the environment’s own actions.'),
    language: programLanguageSchema.exactOptional().describe('Absent: JavaScript.'),
    usage: z.string().describe('A worked example that uses the whole set.'),
    notes: z.array(z.string()).describe('Advice for calling it.'),
    scores: libraryScoresSchema.nullable(),
    lineage: z.array(actionLineageSchema),
  })
  .meta({ id: 'LearnedAction' })

export type LearnedAction = z.infer<typeof learnedActionSchema>
export type ActionLineage = z.infer<typeof actionLineageSchema>
export type LibraryScores = z.infer<typeof libraryScoresSchema>

export const librarySchema = z
  .object({
    id: z.string(),
    object: z.literal('library'),
    run: z.string(),
    environment: z.string(),
    method: z.string(),
    complete: z.boolean().describe('True if its run has ended; only then can another run use it.'),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Library' })

export const libraryActionSchema = learnedActionSchema
  .extend({ id: z.string().describe('The name, with the group before it if there is one.') })
  .meta({ id: 'LibraryAction' })

export type LibraryAction = z.infer<typeof libraryActionSchema>

export type Library = z.infer<typeof librarySchema>

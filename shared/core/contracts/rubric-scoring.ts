import { z } from 'zod'
import { scoreNameSchema, scorerSchema } from './judgement.ts'
import { runLimitsSchema } from './limits.ts'
import { modelChoiceSchema } from './model-choice.ts'
import { usageSchema } from './usage.ts'

export const rubricScoringRequestSchema = z
  .strictObject({
    name: scoreNameSchema,
    rubric: z
      .string()
      .min(1)
      .max(50_000)
      .describe(
        'Instructions for the judge in words: the merits behind each score, from 0, the worst, to 10, the best.',
      ),
    model: modelChoiceSchema.describe('The judge.'),
    limits: runLimitsSchema.default({}).describe('Limits for the judge; at a limit its run pauses.'),
    limit: z
      .int()
      .min(1)
      .optional()
      .describe('Maximum number of episodes to judge: the first ones that reached an end.'),
    again: z
      .boolean()
      .default(false)
      .describe('True to judge again the episodes for which the same judge gave no score before.'),
  })
  .meta({ id: 'RubricScoringRequest' })

export type RubricScoringRequest = z.infer<typeof rubricScoringRequestSchema>
export type RubricScoringInput = z.input<typeof rubricScoringRequestSchema>

export const rubricScoringSchema = z
  .object({
    object: z.literal('scoring'),
    run: z.string(),
    name: scoreNameSchema,
    by: scorerSchema,
    judge_run: z
      .string()
      .nullable()
      .describe(
        'The run that asks the judge: its cost, its limits, its prompts and answers. Null: none was needed.',
      ),
    status: z
      .enum(['going', 'paused', 'ended', 'failed'])
      .describe(
        '`paused`: at a limit, or because the model does not answer; the judgements until then are stored.',
      ),
    reason: z.string().nullable().describe('The reason for the pause or failure, and its remedy.'),
    total: z.int().describe('Number of episodes to score.'),
    skipped: z.int().describe('Episodes that already had a score from the same judge.'),
    scored: z.int(),
    errors: z.int().describe('Episodes for which the judge gave no readable score, or did not answer.'),
    usage: usageSchema.nullable().describe('Usage of the judge’s run; null if that run no longer exists.'),
  })
  .meta({ id: 'RubricScoring' })

export type RubricScoring = z.infer<typeof rubricScoringSchema>

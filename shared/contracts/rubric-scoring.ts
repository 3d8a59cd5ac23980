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
      .describe('What earns which score, from 0, the worst, to 10, the best, in words for the judge.'),
    model: modelChoiceSchema.describe('Who judges.'),
    limits: runLimitsSchema.default({}).describe('What the judge may take; at a limit its run pauses.'),
    limit: z.int().min(1).optional().describe('Only the first so many episodes that were played to an end.'),
    again: z
      .boolean()
      .default(false)
      .describe('Whether episodes for which the same judge gave no score before are judged again.'),
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
        '`paused`: at a limit, or because the model does not answer; what was judged until then is stored.',
      ),
    reason: z.string().nullable().describe('Why it is paused or failed, and what to do about it.'),
    total: z.int().describe('Episodes that were to have a score.'),
    skipped: z.int().describe('Those that had one of the same judge before.'),
    scored: z.int(),
    errors: z.int().describe('Those for which the judge gave no score that can be read, or did not answer.'),
    usage: usageSchema.nullable().describe('Of the judge’s run; null where there is none any more.'),
  })
  .meta({ id: 'RubricScoring' })

export type RubricScoring = z.infer<typeof rubricScoringSchema>

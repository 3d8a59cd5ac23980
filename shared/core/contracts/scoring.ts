import { z } from 'zod'
import type { EpisodeEnd } from './episode.ts'
import { episodeJudgementSchema, judgeNameSchema, scoreNameSchema, scorerSchema } from './judgement.ts'
import { scoreFiguresSchema } from './report.ts'
import type { Trajectory } from './trajectory.ts'

export const mostScoresAtOnce = 500

const scoredEpisodeSchema = episodeJudgementSchema
  .pick({ value: true })
  .extend({
    episode: z.string().min(1).max(128),
    error: z.string().min(1).max(4000).optional().describe('The scorer’s error; the value is then null.'),
    note: z.string().min(1).max(4000).optional(),
    end: z
      .string()
      .max(64)
      .optional()
      .describe(
        'Digest of the scored end: the first 16 hexadecimal digits of the SHA-256 of its status and result, as canonical JSON. If the episode has ended differently since, the API stores nothing.',
      ),
  })
  .strict()
  .refine(({ error, value }) => (value === null) === (error !== undefined), {
    path: ['error'],
    message: 'Give a value, or null and an error that says why there is none',
  })

export const recordScoresSchema = z
  .strictObject({
    name: scoreNameSchema,
    by: scorerSchema,
    judgements: z
      .array(scoredEpisodeSchema)
      .min(1)
      .max(mostScoresAtOnce)
      .refine(
        (given) => new Set(given.map(({ episode }) => episode)).size === given.length,
        'Name each episode once',
      ),
  })
  .meta({ id: 'RecordScores' })

export type RecordScores = z.infer<typeof recordScoresSchema>
export type RecordScoresInput = z.input<typeof recordScoresSchema>

export const agreementSchema = z
  .object({
    against: z.string().describe('`reward`, or the name of another score.'),
    threshold: z.number().describe('Minimum value of a positive score.'),
    positive: z
      .string()
      .describe(
        'The rule for a positive reference. Reward: the episode succeeded. Score: its value is at least the threshold.',
      ),
    pairs: z.int().describe('Episodes with both the score and the reference.'),
    without_score: z.int().describe('Episodes with the reference alone.'),
    without_reference: z.int().describe('Episodes with the score alone.'),
    confusion: z
      .object({
        both: z.int().describe('Positive in both.'),
        score_only: z.int().describe('Positive by the score alone.'),
        reference_only: z.int().describe('Positive by the reference alone.'),
        neither: z.int(),
      })
      .describe('Counts of pairs.'),
    accuracy: z
      .number()
      .nullable()
      .describe('Share of pairs with both values on the same side of the threshold.'),
    kappa: z
      .number()
      .nullable()
      .describe('Cohen’s kappa: agreement beyond chance. Null if chance alone would agree on all.'),
    pearson: z.number().nullable().describe('Correlation of the values. Null if either never varies.'),
    spearman: z.number().nullable().describe('Correlation of the ranks of the values.'),
    mean_difference: z.number().nullable().describe('The mean of score − reference: its bias.'),
  })
  .meta({ id: 'Agreement' })

export type Agreement = z.infer<typeof agreementSchema>

export const scoreReportSchema = scoreFiguresSchema
  .extend({
    object: z.literal('score_report'),
    run: z.string(),
    agreement: agreementSchema,
    first_errors: z
      .array(z.object({ episode: z.string(), error: z.string() }))
      .describe('The first 20 episodes whose scorer failed.'),
  })
  .meta({ id: 'ScoreReport' })

export type ScoreReport = z.infer<typeof scoreReportSchema>

export const scoreReportQueryShape = {
  against: z
    .union([z.literal('reward'), scoreNameSchema])
    .default('reward')
    .describe('The reference: the environment’s reward, or another score of the run.'),
  threshold: z.coerce.number().min(0).max(1).default(0.5),
  by: judgeNameSchema
    .optional()
    .describe('Count only this person’s judgements, if the score is from people.'),
}

export type ScoreReportQuery = { against: string; threshold: number; by?: string | undefined }

export interface ScoredEpisode {
  run: string
  episode: string
  task: string
  environment: string
  method: string
  status: EpisodeEnd
  /** The environment's; null if a limit on money or time ended it. */
  reward: number | null
  success: boolean
  steps: number
  trajectory: Trajectory
}

/** A scorer's result: a value from 0 to 1, with an optional note. An error it throws is recorded. */
export type ScorerAnswer = number | { value: number; note?: string }

export type Scorer = (episode: ScoredEpisode) => ScorerAnswer | Promise<ScorerAnswer>

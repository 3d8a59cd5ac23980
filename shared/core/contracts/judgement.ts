import { z } from 'zod'

export const scoreNameSchema = z
  .string()
  .max(64)
  .regex(
    /^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/,
    'Use small letters, digits, and single - or _ between them, and begin with a letter',
  )
  .refine((name) => name !== 'reward', 'That is the environment’s own score; choose another name')
  .meta({ description: 'The name of a score.', example: 'helpful' })

export const judgeNameSchema = z
  .string()
  .min(1)
  .max(80)
  .refine(
    (text) => text.isWellFormed() && text.trim() === text,
    'It must not begin or end with white space, and be well-formed Unicode',
  )
  .meta({ description: 'The name of a person who judges.', example: 'ada' })

const personSchema = z
  .object({ kind: z.literal('person'), name: judgeNameSchema })
  .meta({ id: 'PersonJudge' })

/** A program or a rubric: everything its digest covers is the same in all judgements with that digest. */
export const scorerSchema = z
  .object({
    kind: z.literal('scorer'),
    name: z.string().min(1).max(200).describe('Name for display, such as the file’s name.'),
    digest: z
      .string()
      .regex(/^[A-Za-z0-9_-]{8,64}$/)
      .describe(
        'Digest of the source, or of the rubric, prompt and model. Different scorers have different digests.',
      ),
    model: z
      .string()
      .max(400)
      .nullable()
      .default(null)
      .describe('The endpoint and model that judged; null: no model judged.'),
  })
  .meta({ id: 'Scorer' })

export type ScorerIdentity = z.infer<typeof scorerSchema>

export const judgeIdentitySchema = z.discriminatedUnion('kind', [personSchema, scorerSchema])

export type JudgeIdentity = z.infer<typeof judgeIdentitySchema>

const nodeSchema = z
  .int()
  .min(1)
  .nullable()
  .describe('The position in the tree of the node whose action is judged; null: the whole episode is judged.')

const valueSchema = z.number().min(0).max(1).describe('From 0, the worst, to 1, the best.')

const remarkSchema = z.string().min(1).max(4000)

export const episodeJudgementSchema = z
  .object({
    id: z.string().describe('Unique within the run.'),
    object: z.literal('judgement'),
    run: z.string(),
    episode: z.string(),
    name: scoreNameSchema,
    node: nodeSchema,
    by: judgeIdentitySchema,
    value: valueSchema.nullable().describe('From 0, the worst, to 1, the best; null: the scorer failed.'),
    error: z.string().nullable().describe('The reason for a missing value; null if there is a value.'),
    note: remarkSchema.nullable().describe('Free-text remark, such as the reason.'),
    at: z.iso.datetime().describe('Time of the judgement; a later one by the same judge replaces it.'),
    end: z
      .string()
      .exactOptional()
      .describe(
        'Digest of the judged end of the episode. An episode that continued after the judgement has another digest.',
      ),
  })
  .meta({ id: 'EpisodeJudgement' })

export type EpisodeJudgement = z.infer<typeof episodeJudgementSchema>

export const judgementRequestSchema = z
  .strictObject({ value: valueSchema, note: remarkSchema.optional() })
  .meta({ id: 'JudgementRequest' })

export type JudgementRequest = z.infer<typeof judgementRequestSchema>

export const judgementPlaceShape = {
  node: z.coerce
    .number()
    .int()
    .min(1)
    .max(999_999_999)
    .optional()
    .describe('The step to judge, by its node’s position in the tree. Left out: the whole episode.'),
  by: judgeNameSchema
    .optional()
    .describe(
      'The judge’s name. A caller with a key omits it: the name of the key is used. For the operator of the service, it defaults to `operator`.',
    ),
}

export type JudgementPlace = { node?: number | undefined; by?: string | undefined }

export const judgementFilterShape = {
  name: scoreNameSchema.optional().describe('Only judgements under this name.'),
  episode: z.string().min(1).max(128).optional().describe('Only judgements of this episode and its steps.'),
  kind: z
    .enum(['person', 'scorer'])
    .optional()
    .describe('Only judgements by people, or only those by scorers.'),
  by: judgeNameSchema.optional().describe('Only judgements by the person with this name.'),
}

export type JudgementFilter = {
  name?: string | undefined
  episode?: string | undefined
  kind?: 'person' | 'scorer' | undefined
  by?: string | undefined
}

export const scoreSummarySchema = z
  .object({
    id: z.string().describe('The name of the score.'),
    object: z.literal('score'),
    run: z.string(),
    kind: z
      .enum(['person', 'scorer'])
      .describe('The kind of judge that uses the name: in one run, people and a scorer never share a name.'),
    episodes: z.int().describe('Number of episodes with a value for the whole episode.'),
    steps: z.int().describe('Number of steps with a value.'),
    errors: z.int().describe('Number of judgements without a value.'),
    judges: z
      .array(z.object({ by: judgeIdentitySchema, judgements: z.int() }))
      .describe(
        'The judges, with the number of judgements of each; every version of a scorer is listed separately.',
      ),
  })
  .meta({ id: 'ScoreSummary' })

export type ScoreSummary = z.infer<typeof scoreSummarySchema>

export const deletedJudgementSchema = z
  .object({ id: z.string(), object: z.literal('judgement'), deleted: z.literal(true) })
  .meta({ id: 'DeletedJudgement' })

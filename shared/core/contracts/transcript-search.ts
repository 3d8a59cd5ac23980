import { z } from 'zod'
import { episodeEndSchema } from './episode.ts'
import { labelFilterShape } from './labels.ts'
import { listQuerySchema, listSchema } from './list.ts'

export const mostSearchedRuns = 50

export const passageKindSchema = z
  .enum(['observation', 'answer', 'note'])
  .describe(
    '`observation`: the environment’s output at a node. `answer`: the policy’s answer, played or not. `note`: another text of a method, such as a reflection, a verdict, an argument of a debate or a plan.',
  )

export type PassageKind = z.infer<typeof passageKindSchema>

const manyOf = (item: z.ZodString, most: number) =>
  z
    .union([item, z.array(item).min(1).max(most)])
    .transform((given) => (typeof given === 'string' ? [given] : given))

export const transcriptFilterShape = {
  run: manyOf(z.string().min(1).max(128), mostSearchedRuns)
    .optional()
    .describe('Only this run, archived or not. Repeat the parameter to search several runs.'),
  ...labelFilterShape,
  environment: z.string().min(1).max(200).optional().describe('Only episodes of this environment.'),
  method: z.string().min(1).max(200).optional().describe('Only episodes played by this method.'),
  outcome: episodeEndSchema.optional().describe('Only episodes with this outcome.'),
  finish_reason: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe(
      'Only model answers with this finish reason, in the endpoint’s words, such as `stop` or `length`; excludes observations.',
    ),
  kind: passageKindSchema.optional(),
}

export const transcriptQuerySchema = z.strictObject({
  ...listQuerySchema.shape,
  q: z
    .string()
    .min(1)
    .max(500)
    .describe(
      'Words that a passage must all contain, in any order, ignoring case and accents; `"several words"` is an exact phrase; `wor*` matches the beginning of a word.',
    ),
  ...transcriptFilterShape,
})

export type TranscriptQuery = z.infer<typeof transcriptQuerySchema>

export const transcriptHitSchema = z
  .object({
    id: z.string().describe('Its position: run, episode, and the number of the passage in the episode.'),
    object: z.literal('transcript_hit'),
    run: z.string(),
    run_name: z.string().nullable(),
    episode: z.string(),
    task: z.string(),
    environment: z.string(),
    method: z.string(),
    outcome: episodeEndSchema.describe('The end of the episode.'),
    reward: z.number().nullable(),
    success: z.boolean().nullable(),
    node: z
      .int()
      .nonnegative()
      .nullable()
      .describe(
        'The node of the tree that it is about; for a played answer, the node it led to. Null if the episode has no tree.',
      ),
    kind: passageKindSchema,
    role: z
      .string()
      .nullable()
      .describe('The role that answered, such as `policy` or `value`; null for observations.'),
    finish_reason: z
      .string()
      .nullable()
      .describe('Finish reason in the words of the endpoint, if it gave one.'),
    snippet: z
      .array(
        z.object({ text: z.string(), match: z.boolean().describe('True if this part matches the search.') }),
      )
      .describe('The passage around the match, split into matching and other parts. Plain text.'),
  })
  .meta({ id: 'TranscriptHit' })

export type TranscriptHit = z.infer<typeof transcriptHitSchema>

export const transcriptHitsSchema = listSchema(transcriptHitSchema)
  .extend({
    runs: z.int().describe('Number of runs that pass the filters and that this page and later pages search.'),
    more_runs: z.boolean().describe('True if later pages search further, older runs.'),
    not_indexed: z
      .int()
      .describe(
        'Ended episodes of these runs that are not in the index yet, and so not found. Each search indexes some of them.',
      ),
    cut_episodes: z
      .int()
      .describe(
        'Episodes of these runs that are too long to be indexed whole: their last passages are not found.',
      ),
  })
  .meta({ id: 'TranscriptHits' })

export type TranscriptHits = z.infer<typeof transcriptHitsSchema>

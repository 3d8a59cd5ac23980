import { z } from 'zod'
import { jsonObjectSchema } from './json.ts'
import { judgeNameSchema, scoreNameSchema } from './judgement.ts'
import { shownLabelsShape } from './labels.ts'
import { runLimitsSchema } from './limits.ts'
import { roleChoiceSchema } from './model-choice.ts'
import { shownPartSchema } from './shown-row.ts'

export const datasetKindSchema = z.enum([
  'sft',
  'preference',
  'step-preference',
  'revision',
  'exploration',
  'unpaired',
  'process-reward',
  'prompts',
  'rollouts',
  'rollout-trees',
])

export type DatasetKindId = z.infer<typeof datasetKindSchema>

export const datasetFormatSchema = z.enum([
  'openai',
  'trl',
  'llama-factory',
  'axolotl',
  'xtuner',
  'fastchat',
  'agenttraj',
  'agent-r',
  'parquet',
  'jsonl',
  'verl',
  'skyrl',
  'prime-rl',
  'tinker',
])

export type DatasetFormatId = z.infer<typeof datasetFormatSchema>

export const pictureChoiceSchema = z.enum(['show', 'leave_out'])

export type PictureChoice = z.infer<typeof pictureChoiceSchema>

const tokenizerSchema = z.enum(['estimate', 'o200k_base', 'cl100k_base'])

/** The treatment of rows that a trainer should not see. Every row that a gate stops is counted by the gate's name. */
export const gatesSchema = z
  .strictObject({
    duplicates: z
      .enum(['drop', 'keep'])
      .default('drop')
      .describe('Rows that are equal to an earlier one, character for character.'),
    held_out: z
      .enum(['drop', 'keep'])
      .default('drop')
      .describe(
        'Rows of tasks that the environment holds out for evaluation (every split but `train`): training on them makes later evaluations worthless.',
      ),
    empty_turns: z
      .enum(['drop', 'keep'])
      .default('drop')
      .describe('Rows with a turn that is empty or white space.'),
    same_action: z
      .enum(['drop', 'keep'])
      .default('drop')
      .describe(
        'Pairs of the kind `step-preference` whose two sides take the same action. They would teach only a wording.',
      ),
    max_tokens: z
      .int()
      .positive()
      .nullable()
      .default(null)
      .describe('Longer rows are dropped: a trainer would cut them, often without a warning.'),
    tokenizer: tokenizerSchema
      .default('estimate')
      .describe('The token counter: OpenAI’s encodings, or an estimate from the characters.'),
  })
  .meta({ id: 'DatasetGates' })

export type DatasetGates = z.infer<typeof gatesSchema>

export const scoreFilterSchema = z
  .strictObject({
    name: scoreNameSchema,
    at_least: z.number().min(0).max(1).optional(),
    at_most: z.number().min(0).max(1).optional(),
    by: judgeNameSchema
      .optional()
      .describe(
        'For a score by people: use only this person’s judgements. Default: the mean of all people’s.',
      ),
  })
  .refine(({ at_least = 0, at_most = 1 }) => at_least <= at_most, {
    path: ['at_most'],
    message: 'It must not be less than at_least',
  })
  .meta({ id: 'ScoreFilter' })

const sourcesSchema = z.array(z.string().min(1)).max(1000)

export const datasetRequestSchema = z
  .strictObject({
    name: z.string().max(200).optional(),
    runs: sourcesSchema.default([]),
    trajectories: sourcesSchema
      .default([])
      .describe('Imported trajectories, by their ids (GET /v1/trajectories).'),
    experts: sourcesSchema
      .default([])
      .describe(
        'Runs or imported trajectories that serve as an expert. `preference` prefers them if they are better; no other kind reads them.',
      ),
    mix: z
      .strictObject({
        trajectories: sourcesSchema
          .min(1)
          .describe('Imported conversations, by their ids. Every answer in them is learned.'),
        share: z
          .number()
          .gt(0)
          .lt(1)
          .default(0.2)
          .describe('Their share of the rows of each split; 0.2 is Agent-R’s.'),
      })
      .optional()
      .describe(
        'General conversations to mix in, drawn by the seed, so that a model keeps its abilities beside the tasks. For kinds whose rows are conversations.',
      ),
    kind: datasetKindSchema.default('sft'),
    parameters: jsonObjectSchema
      .default({})
      .describe('Parameters of the kind; GET /v1/dataset-kinds lists them with their defaults.'),
    format: datasetFormatSchema.default('openai'),
    model: roleChoiceSchema
      .optional()
      .describe(
        'The model to ask, for kinds that ask one. Fields it omits come from the first run’s `verifier`, then from its `model`.',
      ),
    limits: runLimitsSchema.default({}).describe('Limits for asking the model.'),
    splits: z
      .record(
        z
          .string()
          .regex(
            /^[a-z][a-z0-9_]{0,31}$/,
            'must be small letters, digits and _, at most 32, and begin with a letter',
          ),
        z.number().gt(0).max(1),
      )
      .optional()
      .describe(
        'Shares of the tasks, such as `{"train": 0.9, "validation": 0.1}`; no task and no prompt is in two splits. Default: all rows are `train`.',
      ),
    seed: z
      .int()
      .min(0)
      .max(2_147_483_647)
      .default(0)
      .describe('Decides which task goes to which split, and which rows a kind draws.'),
    gates: gatesSchema.prefault({}),
    scores: z
      .array(scoreFilterSchema)
      .min(1)
      .max(10)
      .refine(
        (filters) => new Set(filters.map(({ name }) => name)).size === filters.length,
        'Name each score once',
      )
      .describe(
        'Scores that episodes of `runs` must have, with their bounds; other episodes are left out and counted. Scores are read when the dataset is planned. Imported trajectories have no scores; `experts` are not filtered.',
      )
      .optional(),
    pictures: pictureChoiceSchema
      .describe(
        '`show`: rows show the pictures of the prompts; the API refuses a format or kind that cannot hold them. `leave_out`: rows are text only, and the dataset has the number of pictures left out. Default: `show` if the first episodes of a run showed pictures.',
      )
      .optional(),
    rows_per_file: z.int().min(1).max(1_000_000).default(10_000),
  })
  .meta({ id: 'DatasetRequest' })

export type DatasetRequest = z.infer<typeof datasetRequestSchema>
export type DatasetRequestInput = z.input<typeof datasetRequestSchema>

export const datasetFileSchema = z.object({
  name: z.string(),
  rows: z.int().nullable(),
  bytes: z.int(),
  sha256: z.string(),
})

export const datasetProgressSchema = z.object({
  phase: z
    .enum(['planning', 'asking', 'collecting', 'assembling', 'done'])
    .describe('`asking`: a model is asked about the episodes, by the run in `annotation_run`.'),
  parts: z.int().describe('Number of parts into which the episodes are divided; 0 until it is known.'),
  parts_done: z.int(),
})

export type DatasetProgress = z.infer<typeof datasetProgressSchema>

export const datasetPicturesSchema = z
  .object({
    rows: z.int().describe('Number of rows that show pictures.'),
    files: z.int().describe('Number of different pictures in these rows.'),
    bytes: z.int().describe('Total size of these files, in bytes.'),
    left_out: z.int().describe('Number of pictures in prompts that the request leaves out of the rows.'),
    rows_without: z.int().describe('Number of rows from which pictures were left out.'),
  })
  .meta({ id: 'DatasetPictures' })

export type DatasetPictures = z.infer<typeof datasetPicturesSchema>

export const datasetSchema = z
  .object({
    id: z.string(),
    object: z.literal('dataset'),
    name: z.string().nullable(),
    status: z.enum(['queued', 'running', 'succeeded', 'failed']),
    error: z.string().nullable(),
    created_at: z.iso.datetime(),
    request: datasetRequestSchema,
    progress: datasetProgressSchema,
    annotation_run: z
      .string()
      .nullable()
      .describe('The run that asked a model for this dataset, with its cost, limits and journals.'),
    rows: z.int(),
    mixed: z.int().optional().describe('Number of rows from general conversations; absent: none.'),
    splits: z
      .record(z.string(), z.object({ rows: z.int(), tasks: z.int() }))
      .describe('Number of rows and tasks in each split.'),
    left_out: z.record(z.string(), z.int()).describe('Number of episodes without a row, by reason.'),
    gates: z
      .record(z.string(), z.object({ found: z.int(), dropped: z.int() }))
      .describe('Number of rows that each gate found, and of those that it dropped.'),
    tokens: z
      .object({ tokenizer: z.string(), total: z.int(), longest: z.int() })
      .nullable()
      .describe('Token counts of the accepted rows; null until they are counted.'),
    pictures: datasetPicturesSchema
      .optional()
      .describe('Present only if the request sets the treatment of pictures.'),
    warnings: z
      .array(z.string())
      .describe('Warnings for users of the dataset, such as a run that had not ended.'),
    files: z.array(datasetFileSchema),
    ...shownLabelsShape,
  })
  .meta({ id: 'Dataset' })

export type Dataset = z.infer<typeof datasetSchema>
export type DatasetFile = z.infer<typeof datasetFileSchema>

export const originSchema = z.object({
  source: z.string().describe('The id of the run or of the import.'),
  episode: z.string().describe('The episode of the run, or the line of the import.'),
  attempt: z.int(),
  method: z.string(),
  model: z.string(),
  reward: z.number().nullable(),
  node_ids: z.array(z.int()).describe('Positions in the tree, in the order of the row’s turns.'),
  scores: z
    .record(z.string(), z.number())
    .exactOptional()
    .describe('Values of the scores that the request asks for, by name; absent: it asks for none.'),
})

export type Origin = z.infer<typeof originSchema>

export const lineageRowSchema = z.object({
  row: z.int(),
  kind: datasetKindSchema,
  environment: z.string(),
  data: z
    .string()
    .nullable()
    .describe(
      'The digest of the data pack that the task is from; null or `builtin`: the environment itself has it.',
    ),
  task: z.string(),
  task_split: z.string().nullable().describe('The environment’s split of the task, if it is known.'),
  tokens: z.int(),
  sha256: z.string().describe('Digest of the canonical row: equal rows have equal digests, in every format.'),
  origin: originSchema.describe('Origin of the row, or of its chosen side.'),
  pictures: z
    .array(z.string())
    .min(1)
    .exactOptional()
    .describe('SHA-256 of each picture that the row shows, in their order, as the nodes name them.'),
  other: originSchema
    .nullable()
    .describe('Origin of its rejected side, or of the bad beginning that it revises.'),
  schema_version: z.literal('espalier-lineage-v2'),
})

export type LineageRow = z.infer<typeof lineageRowSchema>

export const signedFileSchema = datasetFileSchema.extend({
  id: z.string(),
  url: z.string().describe('Downloads the file without a key until it expires.'),
  expires_at: z.iso.datetime(),
})

export const datasetKindInfoSchema = z
  .object({
    id: datasetKindSchema,
    object: z.literal('dataset_kind'),
    description: z.string(),
    source: z.string().describe('The paper behind the kind, and the part of the paper that it covers.'),
    parameters: jsonObjectSchema.describe('JSON Schema of the parameters, with the defaults.'),
    formats: z.array(datasetFormatSchema),
    asks_model: z.boolean().describe('True if a build may ask a model, which costs money.'),
    uses_experts: z.boolean().describe('True if the kind reads the request’s `experts`.'),
  })
  .meta({ id: 'DatasetKind' })

export type DatasetKindInfo = z.infer<typeof datasetKindInfoSchema>

export const datasetFormatInfoSchema = z
  .object({
    id: datasetFormatSchema,
    object: z.literal('dataset_format'),
    description: z.string(),
    container: z
      .enum(['jsonl', 'json', 'parquet'])
      .describe('`jsonl`: one row per line; `json`: one list; `parquet`: columns.'),
    reads_gzip: z
      .boolean()
      .describe('True if its trainers read the gzip files as stored; if false, unpack them first.'),
    kinds: z.array(datasetKindSchema),
    pictures: z.array(datasetKindSchema).describe('Kinds whose rows can show pictures in this format.'),
  })
  .meta({ id: 'DatasetFormat' })

export type DatasetFormatInfo = z.infer<typeof datasetFormatInfoSchema>

export const datasetPreviewRowSchema = z
  .object({
    id: z.string().describe('Number of the row in its split, from 0.'),
    object: z.literal('dataset_row'),
    data: jsonObjectSchema.describe(
      'The row as its file holds it, but with file names instead of the bytes of pictures.',
    ),
    parts: z.array(shownPartSchema).describe('The same row as its trainer reads it, turn by turn.'),
    lineage: lineageRowSchema,
  })
  .meta({ id: 'DatasetRow' })

export type DatasetPreviewRow = z.infer<typeof datasetPreviewRowSchema>

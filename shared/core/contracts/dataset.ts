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
        'Pairs of the kind `step-preference` whose two sides take the same action. They would teach only a style of talking about it.',
      ),
    max_tokens: z
      .int()
      .positive()
      .nullable()
      .default(null)
      .describe('Rows that are longer are dropped: a trainer would cut them, often without a word.'),
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
      .describe('Of people’s judgements only those of this person. Default: the mean of all people’s.'),
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
          .describe('Which part of the rows of each split they make up; 0.2 is Agent-R’s.'),
      })
      .optional()
      .describe(
        'General conversations to mix in, drawn by the seed, so that a model keeps its abilities beside the tasks. For kinds whose rows are conversations.',
      ),
    kind: datasetKindSchema.default('sft'),
    parameters: jsonObjectSchema
      .default({})
      .describe('Of the kind; GET /v1/dataset-kinds lists them with their defaults.'),
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
        'Shares of the tasks, such as `{"train": 0.9, "validation": 0.1}`; no task, and no prompt, is in two. Default: all rows are `train`.',
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
        'Scores that episodes of `runs` must have, and within which bounds; the others are left out and counted. They are read when the dataset is planned. Imported trajectories have none; `experts` are not filtered.',
      )
      .optional(),
    pictures: pictureChoiceSchema
      .describe(
        '`show`: rows show the pictures of the prompts. `leave_out`: rows are texts alone, and the dataset has the number of pictures they lack. Default: `show` if the first episodes of a run showed pictures. The API then refuses a format or kind that cannot hold them.',
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
  parts: z.int().describe('Number of parts that divide the episodes; 0 until it is known.'),
  parts_done: z.int(),
})

export type DatasetProgress = z.infer<typeof datasetProgressSchema>

export const datasetPicturesSchema = z
  .object({
    rows: z.int().describe('Rows that show pictures.'),
    files: z.int().describe('Different pictures in them, each counted once.'),
    bytes: z.int().describe('Of these.'),
    left_out: z
      .int()
      .describe('Pictures that rows do not show though prompts did, because the request leaves them out.'),
    rows_without: z.int().describe('Rows from which pictures were left out.'),
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
      .describe('The run that asked a model for this dataset: its cost, its limits, its journals.'),
    rows: z.int(),
    mixed: z.int().optional().describe('Number of rows from general conversations; absent: none.'),
    splits: z
      .record(z.string(), z.object({ rows: z.int(), tasks: z.int() }))
      .describe('Contents of each split.'),
    left_out: z.record(z.string(), z.int()).describe('Episodes that gave no row, by reason.'),
    gates: z
      .record(z.string(), z.object({ found: z.int(), dropped: z.int() }))
      .describe('Rows that each gate found, and how many of them it dropped.'),
    tokens: z
      .object({ tokenizer: z.string(), total: z.int(), longest: z.int() })
      .nullable()
      .describe('Of the rows that are in; null until they are counted.'),
    pictures: datasetPicturesSchema
      .optional()
      .describe('Present only if the request sets the treatment of pictures.'),
    warnings: z
      .array(z.string())
      .describe('Points a reader should know, such as a run that was still going.'),
    files: z.array(datasetFileSchema),
    ...shownLabelsShape,
  })
  .meta({ id: 'Dataset' })

export type Dataset = z.infer<typeof datasetSchema>
export type DatasetFile = z.infer<typeof datasetFileSchema>

export const originSchema = z.object({
  source: z.string().describe('The run, or the imported trajectories.'),
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
    .describe('The digest of the data pack that the task is from; null or `builtin`: it comes along.'),
  task: z.string(),
  task_split: z.string().nullable().describe('The environment’s split of the task, if it is known.'),
  tokens: z.int(),
  sha256: z.string().describe('Of the canonical row: equal rows have equal digests, in every format.'),
  origin: originSchema.describe('Origin of the row, or of its chosen side.'),
  pictures: z
    .array(z.string())
    .min(1)
    .exactOptional()
    .describe('The pictures that the row shows, in their order: SHA-256 of each, as the nodes name them.'),
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
    source: z.string().describe('The paper behind it, and the part of it that this covers.'),
    parameters: jsonObjectSchema.describe('A JSON Schema with the defaults.'),
    formats: z.array(datasetFormatSchema),
    asks_model: z.boolean().describe('True if a build may ask a model, which costs money.'),
    uses_experts: z.boolean().describe('True if it reads the request’s `experts`.'),
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
      .describe('`jsonl`: a row a line; `json`: one list; `parquet`: columns.'),
    reads_gzip: z
      .boolean()
      .describe('True if its trainers read the files as stored; if false, unpack them first.'),
    kinds: z.array(datasetKindSchema),
    pictures: z.array(datasetKindSchema).describe('The kinds of which it has rows that show pictures.'),
  })
  .meta({ id: 'DatasetFormat' })

export type DatasetFormatInfo = z.infer<typeof datasetFormatInfoSchema>

export const datasetPreviewRowSchema = z
  .object({
    id: z.string().describe('Its number among the rows of the split, from 0.'),
    object: z.literal('dataset_row'),
    data: jsonObjectSchema.describe(
      'The row as its file holds it, but with the name of a picture’s file in place of its bytes.',
    ),
    parts: z.array(shownPartSchema).describe('The same row as its trainer takes it, turn by turn.'),
    lineage: lineageRowSchema,
  })
  .meta({ id: 'DatasetRow' })

export type DatasetPreviewRow = z.infer<typeof datasetPreviewRowSchema>

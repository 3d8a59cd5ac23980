import { z } from 'zod'

/** What a row teaches. */
export const datasetKindSchema = z.enum(['sft'])
/** Which trainer reads the row. */
export const datasetFormatSchema = z.enum(['openai-chat'])

/** The body of `POST /v1/datasets`. */
export const datasetRequestSchema = z
  .strictObject({
    name: z.string().max(200).optional(),
    runs: z.array(z.string().min(1)).min(1).max(1000),
    kind: datasetKindSchema.default('sft'),
    format: datasetFormatSchema.default('openai-chat'),
    min_reward: z
      .number()
      .optional()
      .describe('Only trajectories with at least this reward; by default, successful ones.'),
    rows_per_file: z.int().min(1).max(1_000_000).default(10_000),
  })
  .meta({ id: 'DatasetRequest' })

export type DatasetRequest = z.infer<typeof datasetRequestSchema>

export const datasetFileSchema = z.object({
  name: z.string(),
  rows: z.int().nullable(),
  bytes: z.int(),
  sha256: z.string(),
})

/** A dataset as the API shows it, and its `manifest.json`. */
export const datasetSchema = z
  .object({
    id: z.string(),
    object: z.literal('dataset'),
    name: z.string().nullable(),
    status: z.enum(['queued', 'running', 'succeeded', 'failed']),
    error: z.string().nullable(),
    created_at: z.iso.datetime(),
    request: datasetRequestSchema,
    rows: z.int(),
    left_out: z.record(z.string(), z.int()).describe('Episodes that gave no row, by reason.'),
    files: z.array(datasetFileSchema),
  })
  .meta({ id: 'Dataset' })

export type Dataset = z.infer<typeof datasetSchema>
export type DatasetFile = z.infer<typeof datasetFileSchema>

/** One line of `lineage-*.jsonl.gz`: where the row with the same number in the data file comes from. */
export const lineageRowSchema = z.object({
  row: z.int(),
  run: z.string(),
  episode: z.string(),
  attempt: z.int(),
  task: z.string(),
  environment: z.string(),
  data: z
    .string()
    .nullable()
    .describe('The digest of the data pack that the task is from; null or `builtin`: it comes along.'),
  method: z.string(),
  model: z.string(),
  node_ids: z.array(z.int()).describe('Positions in the tree, root first.'),
  reward: z.number(),
  schema_version: z.literal('espalier-lineage-v1'),
})

export type LineageRow = z.infer<typeof lineageRowSchema>

/** An entry of `GET /v1/datasets/{dataset}/files`. */
export const signedFileSchema = datasetFileSchema.extend({
  id: z.string(),
  url: z.string().describe('Downloads the file without a key until it expires.'),
  expires_at: z.iso.datetime(),
})

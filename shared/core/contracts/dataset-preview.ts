import { z } from 'zod'
import { datasetPreviewRowSchema, datasetRequestSchema, datasetSchema } from './dataset.ts'
import { jsonObjectSchema } from './json.ts'

const reasonsSchema = datasetSchema.shape.left_out

export const foreseenRowSchema = datasetPreviewRowSchema
  .extend({
    id: z.string().describe('Number of the row among the found rows, from 0.'),
    data: jsonObjectSchema
      .nullable()
      .describe('The row as a file would hold it; null if the format cannot hold it.'),
    dropped: z
      .object({ gate: z.string(), reason: z.string().describe('The reason as a text.') })
      .nullable()
      .describe('The gate that drops the row; null: the row is accepted.'),
  })
  .meta({ id: 'ForeseenRow' })

export type ForeseenRow = z.infer<typeof foreseenRowSchema>

export const datasetPreviewSchema = z
  .object({
    object: z.literal('dataset_preview'),
    request: datasetRequestSchema.describe('The request as the build would use it, with every default.'),
    complete: z
      .boolean()
      .describe(
        'True if the preview read everything: its counts are the whole dataset’s. False if it read only a beginning.',
      ),
    listed: z
      .object({
        episodes: z.int(),
        left_out: reasonsSchema.describe('Number of these that are no attempts at a task, by reason.'),
      })
      .describe('All listed episodes and imported trajectories, experts included.'),
    read: z
      .object({
        tasks: z.int(),
        attempts: z.int(),
        left_out: reasonsSchema.describe('Number of attempts without a row, by reason.'),
      })
      .describe(
        'The sample in which the preview searched for rows: the first tasks, up to about fifty trees.',
      ),
    rows_found: z.int().describe('Number of rows found, before the gates.'),
    gates: datasetSchema.shape.gates.describe('Number of these rows that each gate found and dropped.'),
    tokens: datasetSchema.shape.tokens.unwrap().describe('Token counts of the accepted rows.'),
    pictures: datasetSchema.shape.pictures
      .unwrap()
      .omit({ bytes: true })
      .exactOptional()
      .describe('Pictures of the accepted rows; absent if the runs showed none.'),
    rows: z
      .array(foreseenRowSchema)
      .describe('The first of the found rows, including rows that a gate drops.'),
    asks: z
      .object({
        episodes: z.int().describe('Maximum number of episodes to ask about, each in one or more calls.'),
        endpoint: z.string(),
        model: z.string(),
      })
      .nullable()
      .describe('The model that the build would ask; rows that need its answers are not shown. Null: none.'),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'DatasetPreview' })

export type DatasetPreview = z.infer<typeof datasetPreviewSchema>

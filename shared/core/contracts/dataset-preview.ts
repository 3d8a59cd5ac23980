import { z } from 'zod'
import { datasetPreviewRowSchema, datasetRequestSchema, datasetSchema } from './dataset.ts'
import { jsonObjectSchema } from './json.ts'

const reasonsSchema = datasetSchema.shape.left_out

export const foreseenRowSchema = datasetPreviewRowSchema
  .extend({
    id: z.string().describe('Its number among the rows that were found, from 0.'),
    data: jsonObjectSchema
      .nullable()
      .describe('The row as a file would hold it; null if the format cannot hold it.'),
    dropped: z
      .object({ gate: z.string(), reason: z.string().describe('In words.') })
      .nullable()
      .describe('Which gate keeps it out; null: it is in.'),
  })
  .meta({ id: 'ForeseenRow' })

export type ForeseenRow = z.infer<typeof foreseenRowSchema>

export const datasetPreviewSchema = z
  .object({
    object: z.literal('dataset_preview'),
    request: datasetRequestSchema.describe('As it would be built: with every default.'),
    complete: z
      .boolean()
      .describe(
        'True if the preview read everything: its counts are the whole dataset’s. False if it read only a beginning.',
      ),
    listed: z
      .object({
        episodes: z.int(),
        left_out: reasonsSchema.describe('Those of them that are no attempts at a task, by reason.'),
      })
      .describe('All listed episodes and imported trajectories, experts included.'),
    read: z
      .object({
        tasks: z.int(),
        attempts: z.int(),
        left_out: reasonsSchema.describe('Attempts that gave no row, by reason.'),
      })
      .describe(
        'The part that the preview searched for rows: the first tasks, until it had read some fifty trees.',
      ),
    rows_found: z.int().describe('Before the gates.'),
    gates: datasetSchema.shape.gates.describe('Number of these rows that each gate found and dropped.'),
    tokens: datasetSchema.shape.tokens.unwrap().describe('Of the rows that are in.'),
    pictures: datasetSchema.shape.pictures
      .unwrap()
      .omit({ bytes: true })
      .exactOptional()
      .describe('Pictures of the accepted rows; absent if the runs showed none.'),
    rows: z.array(foreseenRowSchema).describe('The first of them, also those that a gate keeps out.'),
    asks: z
      .object({
        episodes: z.int().describe('At most so many episodes, each in one call or several.'),
        endpoint: z.string(),
        model: z.string(),
      })
      .nullable()
      .describe('Which model building it would ask; rows that need its answers are not shown. Null: none.'),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'DatasetPreview' })

export type DatasetPreview = z.infer<typeof datasetPreviewSchema>

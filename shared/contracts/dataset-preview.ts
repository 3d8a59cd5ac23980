import { z } from 'zod'
import { datasetPreviewRowSchema, datasetRequestSchema, datasetSchema } from './dataset.ts'
import { jsonObjectSchema } from './json.ts'

const reasonsSchema = datasetSchema.shape.left_out

export const foreseenRowSchema = datasetPreviewRowSchema
  .extend({
    id: z.string().describe('Its number among the rows that were found, from 0.'),
    data: jsonObjectSchema
      .nullable()
      .describe('The row as a file would hold it; null where the format cannot hold it.'),
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
        'Whether everything was read, so that the counts are the whole dataset’s; else it was begun with.',
      ),
    listed: z
      .object({
        episodes: z.int(),
        left_out: reasonsSchema.describe('Those of them that are no attempts at a task, by reason.'),
      })
      .describe('Episodes and imported trajectories that were listed, experts included.'),
    read: z
      .object({
        tasks: z.int(),
        attempts: z.int(),
        left_out: reasonsSchema.describe('Attempts that gave no row, by reason.'),
      })
      .describe('What rows were sought in: the first tasks, until some fifty trees were read.'),
    rows_found: z.int().describe('Before the gates.'),
    gates: datasetSchema.shape.gates.describe('What each gate found among these rows, and dropped.'),
    tokens: datasetSchema.shape.tokens.unwrap().describe('Of the rows that are in.'),
    pictures: datasetSchema.shape.pictures
      .unwrap()
      .omit({ bytes: true })
      .exactOptional()
      .describe('What the rows that are in have of pictures; absent where the runs showed none.'),
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

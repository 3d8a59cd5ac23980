import { z } from 'zod'
import { shownLabelsShape } from './labels.ts'
import { treeSchema } from './tree.ts'

export const trajectoryFormatSchema = z.enum([
  'eto',
  'agenttraj',
  'agent-r',
  'atif',
  'openai',
  'trl',
  'axolotl',
  'llama-factory',
  'xtuner',
  'fastchat',
  'parquet',
])

export type TrajectoryFormat = z.infer<typeof trajectoryFormatSchema>

const number = z.coerce.number()

export const importSettingsSchema = z
  .strictObject({
    format: trajectoryFormatSchema.meta({ example: 'agenttraj' }),
    environment: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,63}$/)
      .optional()
      .describe('The environment of the rows; needed if the rows do not name it themselves.'),
    data: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe(
        'Data pack of the tasks, by digest or name, so that they match the tasks of runs on this pack. Default: the pack that a run would use.',
      ),
    method: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('The method of the rows. Default: as the rows say, else `expert`.'),
    model: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('The model of the rows. Default: as the rows say, else `unknown`.'),
    reward: number.min(0).max(1).default(1).describe('Reward of rows that do not state one.'),
    reward_scale: number
      .positive()
      .optional()
      .describe(
        'The largest reward in the rows: they are divided by it. Default: 1; 100 for scores in percent in Agent-R’s files.',
      ),
    success_at: number.min(0).max(1).default(1).describe('Minimum reward of a success, after scaling.'),
    head: number
      .int()
      .min(1)
      .max(1000)
      .optional()
      .describe(
        'Number of messages before the first answer of the trajectory: instructions, examples, the first observation. Default: found by rule.',
      ),
  })
  .meta({ id: 'TrajectoryImportSettings' })

export type ImportSettings = z.infer<typeof importSettingsSchema>
export type ImportSettingsInput = z.input<typeof importSettingsSchema>

export const trajectoryImportSchema = z
  .object({
    id: z.string(),
    object: z.literal('trajectory_import'),
    name: z.string().nullable(),
    status: z
      .enum(['receiving', 'complete'])
      .describe('`receiving`: more rows will follow; datasets need a complete import.'),
    created_at: z.iso.datetime(),
    settings: importSettingsSchema,
    trajectories: z.int().describe('Number of accepted rows.'),
    rejected: z.int().describe('Number of rejected rows; `GET …/rejections` lists the reasons.'),
    next: z.int().describe('Number of the next row to send, counted from 1.'),
    parts: z.int().describe('Number of request bodies that contained the rows.'),
    ...shownLabelsShape,
  })
  .meta({ id: 'TrajectoryImport' })

export type TrajectoryImport = z.infer<typeof trajectoryImportSchema>

export const rejectionSchema = z
  .object({
    id: z.string(),
    file: z.string().nullable(),
    line: z.int().describe('The line of the file in which the row begins, from 1.'),
    row: z.int().describe('The number of the row in the import, from 1.'),
    field: z.string().nullable().describe('The wrong field of the row, as a path.'),
    reason: z.string(),
  })
  .meta({ id: 'TrajectoryRejection' })

export type Rejection = z.infer<typeof rejectionSchema>

export const keptRejections = 1000

export const importedFactsSchema = z
  .object({
    episode: z.string().describe('The number of the row in the import, as an id: `row-0000001`.'),
    part: z.int().describe('Number of the import’s part that contains its tree.'),
    environment: z.string(),
    data: z.string().nullable(),
    task: z.string(),
    method: z.string(),
    model: z.string(),
    status: z.enum(['succeeded', 'failed']),
    reward: z.number(),
    success: z.boolean(),
    seed: z.int(),
    file: z.string().nullable(),
    line: z.int(),
  })
  .meta({ id: 'ImportedFacts' })

export type ImportedFacts = z.infer<typeof importedFactsSchema>

export const trajectoryLineSchema = z
  .object({
    schema_version: z.literal('espalier-trajectory-v1'),
    file: z.string().nullable(),
    line: z.int().positive(),
    row: z.int().positive(),
    model: z.string(),
    reward: z.number().min(0).max(1),
    tree: treeSchema,
  })
  .refine(({ tree }) => tree.best < tree.nodes.length && tree.nodes.every(standsBelow), {
    path: ['tree'],
    message:
      'best must be a node, and every parent must stand before its children, the root alone without one',
  })

export type TrajectoryLine = z.infer<typeof trajectoryLineSchema>

/** Rejections before sending: at most one such line in a body. */
export const rejectionsLineSchema = z.object({
  schema_version: z.literal('espalier-rejections-v1'),
  rejected: z.int().nonnegative().describe('Number of rejected rows; `rejections` lists the first ones.'),
  rejections: z.array(rejectionSchema).max(keptRejections),
})

export type RejectionsLine = z.infer<typeof rejectionsLineSchema>

/** Rows sort like their ids, so that lists can be paged by id. */
export function rowId(row: number): string {
  return `row-${String(row).padStart(7, '0')}`
}

function standsBelow({ parent }: { parent: number | null }, index: number): boolean {
  return index === 0 ? parent === null : parent !== null && parent < index
}

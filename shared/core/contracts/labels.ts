import { z } from 'zod'

const isWritable = (text: string): boolean => text.isWellFormed() && text.trim() === text
const unwritable = 'It must not begin or end with white space, and be well-formed Unicode'

export const experimentNameSchema = z
  .string()
  .min(1)
  .max(100)
  .refine(isWritable, unwritable)
  .describe('Name of its experiment. The first use of a name creates the experiment.')

export const tagSchema = z.string().min(1).max(64).refine(isWritable, unwritable)

export const tagsSchema = z
  .array(tagSchema)
  .max(50)
  .refine((tags) => new Set(tags).size === tags.length, 'Name each tag once')
  .describe('Labels by which lists can filter.')

export const noteSchema = z.string().min(1).max(10_000).describe('Free-text description.')

export const labelsShape = {
  experiment: experimentNameSchema.optional(),
  tags: tagsSchema.optional(),
  note: noteSchema.optional(),
}

export const shownLabelsShape = {
  ...labelsShape,
  archived_at: z.iso
    .datetime()
    .optional()
    .describe('Time of archiving; lists omit archived entries by default. Absent: not archived.'),
}

export const labelChangeSchema = z
  .strictObject({
    name: z.string().min(1).max(200).nullable().optional().describe('Display name; null removes it.'),
    experiment: experimentNameSchema.nullable().optional(),
    tags: tagsSchema.optional().describe('Complete new list of tags; it replaces the present one.'),
    add_tags: tagsSchema.optional().describe('Tags to add.'),
    remove_tags: tagsSchema.optional().describe('Tags to remove; missing ones are ignored.'),
    note: noteSchema.nullable().optional(),
    archived: z
      .boolean()
      .optional()
      .describe('`true` archives it: lists omit it by default. Nothing else changes.'),
  })
  .refine(({ tags, add_tags, remove_tags }) => tags === undefined || (!add_tags && !remove_tags), {
    path: ['tags'],
    message: 'Give all tags, or those to add and remove, not both',
  })
  .meta({ id: 'LabelChange' })

export type LabelChange = z.infer<typeof labelChangeSchema>

export const labelFilterShape = {
  experiment: experimentNameSchema.optional().describe('Only entries of this experiment.'),
  tag: z
    .union([tagSchema, z.array(tagSchema).max(50)])
    .transform((tag) => (typeof tag === 'string' ? [tag] : tag))
    .optional()
    .describe('Only entries with this tag. Repeat the parameter to require several tags.'),
  archived: z
    .enum(['false', 'true', 'any'])
    .optional()
    .describe('`true`: only archived entries; `any`: all entries. Default: `false`, no archived entries.'),
}

export interface LabelFilter {
  experiment?: string | undefined
  tag?: string[] | undefined
  archived?: 'false' | 'true' | 'any' | undefined
}

export const experimentSchema = z
  .object({
    id: z.string().describe('Name of the experiment.'),
    object: z.literal('experiment'),
    runs: z.int().describe('Number of its runs, archived ones included; likewise the other counts.'),
    datasets: z.int(),
    imports: z.int(),
  })
  .meta({ id: 'Experiment' })

export type Experiment = z.infer<typeof experimentSchema>

export const deletedSchema = z
  .object({
    id: z.string(),
    object: z.enum(['run', 'dataset', 'trajectory_import']),
    deleted: z.literal(true),
  })
  .meta({ id: 'Deleted' })

export type Deleted = z.infer<typeof deletedSchema>

export interface EntryLabels {
  name?: string | null | undefined
  experiment?: string | undefined
  tags?: string[] | undefined
  note?: string | undefined
  archived_at?: string | undefined
}

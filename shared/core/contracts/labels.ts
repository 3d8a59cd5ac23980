import { z } from 'zod'

const isWritable = (text: string): boolean => text.isWellFormed() && text.trim() === text
const unwritable = 'It must not begin or end with white space, and be well-formed Unicode'

export const experimentNameSchema = z
  .string()
  .min(1)
  .max(100)
  .refine(isWritable, unwritable)
  .describe('The experiment that it belongs to: a name, which is not to be created before.')

export const tagSchema = z.string().min(1).max(64).refine(isWritable, unwritable)

export const tagsSchema = z
  .array(tagSchema)
  .max(50)
  .refine((tags) => new Set(tags).size === tags.length, 'Name each tag once')
  .describe('Words to find it by.')

export const noteSchema = z.string().min(1).max(10_000).describe('Words about it, for people.')

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
    .describe('Since when it is archived, so that lists leave it out; absent: it is not.'),
}

export const labelChangeSchema = z
  .strictObject({
    name: z.string().min(1).max(200).nullable().optional().describe('A name for people; null: none.'),
    experiment: experimentNameSchema.nullable().optional(),
    tags: tagsSchema.optional().describe('All its tags from now on, in place of those that it has.'),
    add_tags: tagsSchema.optional().describe('Tags that it gets beside those that it has.'),
    remove_tags: tagsSchema.optional().describe('Tags that it loses; one that it does not have is fine.'),
    note: noteSchema.nullable().optional(),
    archived: z
      .boolean()
      .optional()
      .describe('`true`: lists leave it out unless they are asked for it. Nothing else changes.'),
  })
  .refine(({ tags, add_tags, remove_tags }) => tags === undefined || (!add_tags && !remove_tags), {
    path: ['tags'],
    message: 'Give all tags, or those to add and remove, not both',
  })
  .meta({ id: 'LabelChange' })

export type LabelChange = z.infer<typeof labelChangeSchema>

export const labelFilterShape = {
  experiment: experimentNameSchema.optional().describe('Only those of this experiment.'),
  tag: z
    .union([tagSchema, z.array(tagSchema).max(50)])
    .transform((tag) => (typeof tag === 'string' ? [tag] : tag))
    .optional()
    .describe('Only those with this tag. If you repeat the parameter, only those with all the tags.'),
  archived: z
    .enum(['false', 'true', 'any'])
    .optional()
    .describe('`true`: only archived ones; `any`: those too. Default: `false`.'),
}

export interface LabelFilter {
  experiment?: string | undefined
  tag?: string[] | undefined
  archived?: 'false' | 'true' | 'any' | undefined
}

export const experimentSchema = z
  .object({
    id: z.string().describe('Its name.'),
    object: z.literal('experiment'),
    runs: z.int().describe('Number of runs in it, archived ones too; likewise the other counts.'),
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

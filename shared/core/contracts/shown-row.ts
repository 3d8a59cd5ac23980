import { z } from 'zod'

export const shownPictureSchema = z.object({
  sha256: z.string(),
  media_type: z.string(),
  url: z
    .string()
    .nullable()
    .describe('Downloads the picture without a key for a while; null: it is not stored.'),
})

export type ShownPicture = z.infer<typeof shownPictureSchema>

export const shownTurnSchema = z.object({
  role: z
    .enum(['system', 'user', 'assistant', 'tool', 'text'])
    .describe('`tool`: the result of a call. `text`: a prompt as one text, for trainers that take no chat.'),
  content: z.string(),
  cut: z
    .int()
    .optional()
    .describe('Characters of `content` that are not shown here; `data` of the row has them all.'),
  learned: z
    .boolean()
    .nullable()
    .describe(
      'True if its tokens count in the loss, with the settings in the dataset’s README. Null if a trainer learns something else from it, such as process rewards.',
    ),
  pictures: z.array(shownPictureSchema).min(1).exactOptional().describe('The pictures that follow the text.'),
  label: z.boolean().optional().describe('Of a step: whether it is a good one.'),
  value: z.number().optional().describe('Of a step: its node’s value in the tree.'),
})

export type ShownTurn = z.infer<typeof shownTurnSchema>

export const shownPartSchema = z
  .object({
    name: z.enum(['messages', 'prompt', 'chosen', 'rejected', 'completion', 'steps']),
    label: z.boolean().optional().describe('Of a completion that stands alone: whether it is desirable.'),
    turns: z.array(shownTurnSchema),
  })
  .meta({ id: 'DatasetRowPart' })

export type ShownPart = z.infer<typeof shownPartSchema>

import { z } from 'zod'

export const shownPictureSchema = z.object({
  sha256: z.string(),
  media_type: z.string(),
  url: z
    .string()
    .nullable()
    .describe('Temporary download address that works without a key; null: the picture is not stored.'),
})

export type ShownPicture = z.infer<typeof shownPictureSchema>

export const shownTurnSchema = z.object({
  role: z
    .enum(['system', 'user', 'assistant', 'tool', 'text'])
    .describe(
      '`tool`: the result of a call. `text`: a prompt as one text, for trainers that accept no chat.',
    ),
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
  label: z.boolean().optional().describe('For a step: true if it is good.'),
  value: z.number().optional().describe('For a step: the value of its node in the tree.'),
})

export type ShownTurn = z.infer<typeof shownTurnSchema>

export const shownPartSchema = z
  .object({
    name: z.enum(['messages', 'prompt', 'chosen', 'rejected', 'completion', 'steps']),
    label: z.boolean().optional().describe('For an unpaired completion: true if it is desirable.'),
    turns: z.array(shownTurnSchema),
  })
  .meta({ id: 'DatasetRowPart' })

export type ShownPart = z.infer<typeof shownPartSchema>

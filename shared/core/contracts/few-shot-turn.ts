import { z } from 'zod'
import { mostPictures, pictureSchema, sentPictureSchema } from './picture.ts'

export const fewShotTurnSchema = z
  .strictObject({
    role: z.enum(['user', 'assistant']),
    content: z.string().max(100_000),
    pictures: z
      .array(z.union([pictureSchema, sentPictureSchema]))
      .min(1)
      .max(mostPictures)
      .exactOptional()
      .describe('Pictures to send with their bytes; the stored run names them by their digests.'),
  })
  .meta({ id: 'FewShotTurn' })

export type FewShotTurn = z.infer<typeof fewShotTurnSchema>

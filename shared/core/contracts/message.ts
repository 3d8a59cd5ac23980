import { z } from 'zod'
import { pictureSchema } from './picture.ts'

/** One turn of a chat, as OpenAI-compatible endpoints take it: a text, and the pictures that follow it. */
export const messageSchema = z
  .object({
    role: z.enum(['system', 'user', 'assistant']),
    content: z.string(),
    pictures: z.array(pictureSchema).min(1).exactOptional(),
  })
  .meta({ id: 'Message' })

export type Message = z.infer<typeof messageSchema>

/** One piece of an observation: text, or a blob stored by its digest (`blobs/{sha256}`), such as a screenshot. */
export const observationPartSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  pictureSchema,
])

/** An environment's output after a step. A list of parts, so that pictures need no migration. */
export const observationSchema = z.array(observationPartSchema)

export type ObservationPart = z.infer<typeof observationPartSchema>
export type Observation = z.infer<typeof observationSchema>

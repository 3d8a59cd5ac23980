import { z } from 'zod'
import type { JsonObject } from '../../core/contracts/json.ts'
import type { Message } from '../../core/contracts/message.ts'
import type { ShownPicture } from '../../core/contracts/shown-row.ts'
import { pictureFile, toShownPicture } from './picture-names.ts'
import { callSchema } from './shown-calls.ts'
import { type StructuredTurn, templateTurn } from './structured-turns.ts'

type PartMessage = JsonObject & { role: StructuredTurn['role']; content: ContentPart[] }

type ContentPart =
  | { type: 'text'; text: string }
  | { type: 'image' }
  | { type: 'image_url'; image_url: { url: string } }

/**
 * Messages for chat templates of vision models: a picture is a placeholder, which the next of the row's `images`
 * fills. Arrow has no type for a file with both texts and lists as contents, so every content is a list.
 */
export function placeMessages(messages: readonly StructuredTurn[]): PartMessage[] {
  return messages.map((turn) => ({
    ...templateTurn(turn),
    role: turn.role,
    content: [
      { type: 'text', text: turn.content },
      ...(turn.pictures ?? []).map(() => ({ type: 'image' }) as const),
    ],
  }))
}

export function addressContent({
  content,
  pictures,
}: Pick<Message, 'content' | 'pictures'>): string | ContentPart[] {
  if (pictures === undefined) return content
  return [
    { type: 'text', text: content },
    ...pictures.map((picture) => ({ type: 'image_url', image_url: { url: pictureFile(picture) } }) as const),
  ]
}

const partsSchema = z.array(
  z.object({
    type: z.string(),
    text: z.string().nullish(),
    image_url: z.object({ url: z.string() }).nullish(),
  }),
)

export const contentSchema = z.union([z.string(), partsSchema])

const partMessagesSchema = z.array(callSchema.extend({ content: contentSchema.nullish() }))

export interface SeenTurn extends Omit<z.infer<typeof callSchema>, 'content'> {
  content: string
  pictures?: ShownPicture[]
}

/**
 * Reads the turns of a row's columns one column after the other, each picture from the row's `images`, in their
 * order.
 *
 * @param images - the names of the row's pictures; none if the contents name them
 */
export function openTurns(images: readonly string[]): (messages: unknown) => SeenTurn[] {
  const names = images.values()
  const nextImage = () => {
    const next = names.next()
    if (next.done === true) throw new Error('A row has more places for pictures than pictures.')
    return toShownPicture(next.value)
  }
  return (messages) =>
    partMessagesSchema.parse(messages).map(({ content, ...turn }) => {
      if (typeof content === 'string' || !content) return { ...turn, content: content ?? '' }
      const text = content.flatMap(({ text }) => text ?? []).join('')
      const pictures = content.flatMap(({ type, image_url }) => {
        if (type === 'image') return [nextImage()]
        return image_url ? [toShownPicture(image_url.url)] : []
      })
      return { ...turn, content: text, ...(pictures.length > 0 && { pictures }) }
    })
}

export const imagesSchema = z.looseObject({ images: z.array(z.string()).optional() })

import { z } from 'zod'
import type { Message } from '../../core/contracts/message.ts'
import type { ShownPicture } from '../../core/contracts/shown-row.ts'
import { pictureFile, toShownPicture } from './picture-names.ts'

type PartMessage = { role: Message['role']; content: ContentPart[] }

type ContentPart =
  | { type: 'text'; text: string }
  | { type: 'image' }
  | { type: 'image_url'; image_url: { url: string } }

/**
 * Messages for chat templates of vision models: a picture is a placeholder, which the next of the row's `images`
 * fills. Arrow has no type for a file with both texts and lists as contents, so every content is a list.
 */
export function placeMessages(messages: readonly Message[]): PartMessage[] {
  return messages.map(({ role, content, pictures = [] }) => ({
    role,
    content: [{ type: 'text', text: content }, ...pictures.map(() => ({ type: 'image' }) as const)],
  }))
}

export function addressContent({ content, pictures }: Message): string | ContentPart[] {
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

const partMessagesSchema = z.array(
  z.object({ role: z.enum(['system', 'user', 'assistant']), content: contentSchema }),
)

export interface SeenTurn {
  role: Message['role']
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
    partMessagesSchema.parse(messages).map(({ role, content }) => {
      if (typeof content === 'string') return { role, content }
      const text = content.flatMap(({ text }) => text ?? []).join('')
      const pictures = content.flatMap(({ type, image_url }) => {
        if (type === 'image') return [nextImage()]
        return image_url ? [toShownPicture(image_url.url)] : []
      })
      return { role, content: text, ...(pictures.length > 0 && { pictures }) }
    })
}

export const imagesSchema = z.looseObject({ images: z.array(z.string()).optional() })

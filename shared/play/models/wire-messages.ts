import type { ChatCompletionContentPart, ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { HttpEndpoint } from '../../core/contracts/endpoint-configuration.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { Message } from '../../core/contracts/message.ts'
import type { Picture } from '../../core/contracts/picture.ts'
import type { PictureSource } from '../../core/pictures/picture-source.ts'

export type WirePictures = (picture: Picture) => Promise<ChatCompletionContentPart | null>

export const textAlone: WirePictures = async () => null

/**
 * Sends pictures to an endpoint as `image_url` parts.
 *
 * @throws EspalierError `not_supported`, from the first picture, if there is no source of pictures
 */
export function picturesFor(
  { pictures = { send: 'data' } }: Pick<HttpEndpoint, 'pictures'>,
  source: PictureSource | null,
): WirePictures {
  const { send, detail } = pictures
  return async (picture) => {
    if (source === null)
      throw new EspalierError('not_supported', 'Prompts with pictures cannot be sent from here.')
    const url = await (send === 'address' ? source.address(picture) : source.data(picture))
    return { type: 'image_url', image_url: { url, ...(detail && { detail }) } }
  }
}

export async function wireMessages(
  messages: readonly Message[],
  pictures: WirePictures,
  systemRole: 'system' | 'developer' | 'user' = 'system',
): Promise<ChatCompletionMessageParam[]> {
  if (systemRole !== 'developer' && messages.every((message) => message.pictures === undefined)) {
    return [...messages]
  }
  return Promise.all(
    messages.map(async (message): Promise<ChatCompletionMessageParam> => {
      const { content, pictures: shown = [] } = message
      const role = message.role === 'system' ? systemRole : message.role
      const parts = (await Promise.all(shown.map(pictures))).filter((part) => part !== null)
      if (parts.length === 0) return { role, content }
      return { role: 'user', content: [{ type: 'text', text: content }, ...parts] }
    }),
  )
}

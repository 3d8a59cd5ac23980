import type { ChatCompletionContentPart, ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { HttpEndpoint } from '../../../core/contracts/endpoint-configuration.ts'
import { EspalierError } from '../../../core/contracts/errors.ts'
import type { Message } from '../../../core/contracts/message.ts'
import type { Picture } from '../../../core/contracts/picture.ts'
import type { PictureSource } from '../../../core/pictures/picture-source.ts'

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

export type TurnSettings = Pick<HttpEndpoint, 'system' | 'alternate'>

const between = '\n\n'

export function toWireTurns(messages: readonly Message[], settings: TurnSettings): readonly Message[] {
  const folded = settings.system === 'user' ? foldSystem(messages) : messages
  return settings.alternate === true ? joinTurns(folded) : folded
}

function foldSystem(messages: readonly Message[]): Message[] {
  const turns: Message[] = []
  let texts: string[] = []
  for (const message of messages) {
    if (message.role === 'system') {
      texts.push(message.content)
      continue
    }
    if (texts.length > 0 && message.role === 'user') {
      turns.push({ ...message, content: [...texts, message.content].join(between) })
    } else {
      if (texts.length > 0) turns.push({ role: 'user', content: texts.join(between) })
      turns.push(message)
    }
    texts = []
  }
  return texts.length === 0 ? turns : [...turns, { role: 'user', content: texts.join(between) }]
}

function joinTurns(messages: readonly Message[]): Message[] {
  const turns: Message[] = []
  for (const message of messages) {
    const before = turns.at(-1)
    if (before?.role !== message.role) turns.push(message)
    else turns[turns.length - 1] = join(before, message)
  }
  return turns
}

function join(left: Message, right: Message): Message {
  const pictures = [...(left.pictures ?? []), ...(right.pictures ?? [])]
  return {
    role: left.role,
    content: `${left.content}${between}${right.content}`,
    ...(pictures.length > 0 && { pictures }),
  }
}

import type { ChatCompletionContentPart, ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { HttpEndpoint } from '../../../core/contracts/endpoint-configuration.ts'
import { EspalierError } from '../../../core/contracts/errors.ts'
import type { PromptMessage } from '../../../core/contracts/message.ts'
import type { Picture } from '../../../core/contracts/picture.ts'
import type { PictureSource } from '../../../core/pictures/picture-source.ts'

export interface WirePicture {
  /** A signed address, or the picture itself as a `data:` address. */
  url: string
  detail?: 'low' | 'high' | 'auto'
}

export type WirePictures = (picture: Picture) => Promise<WirePicture | null>

export const textAlone: WirePictures = async () => null

/**
 * Finds the pictures of prompts in the form that an endpoint's settings say.
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
    return { url, ...(detail && { detail }) }
  }
}

export async function wireMessages(
  messages: readonly PromptMessage[],
  pictures: WirePictures,
  systemRole: 'system' | 'developer' | 'user' = 'system',
): Promise<ChatCompletionMessageParam[]> {
  if (systemRole !== 'developer' && messages.every(isPlain)) {
    return [...messages] as ChatCompletionMessageParam[]
  }
  const turns = await Promise.all(
    messages.map(async (message): Promise<ChatCompletionMessageParam[]> => {
      const { content, pictures: shown = [] } = message
      const wired = (await Promise.all(shown.map(pictures))).filter((picture) => picture !== null)
      const parts = wired.map((image_url): ChatCompletionContentPart => ({ type: 'image_url', image_url }))
      if (message.role === 'tool') {
        const answer = { role: 'tool', tool_call_id: message.tool_call_id ?? '', content } as const
        // Answers of tools hold texts alone.
        return parts.length === 0 ? [answer] : [answer, { role: 'user', content: parts }]
      }
      if (message.role === 'assistant') return [wireAnswer(message)]
      const role = message.role === 'system' ? systemRole : message.role
      if (parts.length === 0) return [{ role, content }]
      return [{ role: 'user', content: [{ type: 'text', text: content }, ...parts] }]
    }),
  )
  return picturesBehindResults(turns.flat())
}

/** The results of one answer's calls follow each other, so pictures of results come behind the last of them. */
function picturesBehindResults(
  messages: readonly ChatCompletionMessageParam[],
): ChatCompletionMessageParam[] {
  const ordered: ChatCompletionMessageParam[] = []
  let shown: ChatCompletionContentPart[] = []
  for (const [place, message] of messages.entries()) {
    const isShown = message.role === 'user' && messages[place - 1]?.role === 'tool'
    if (isShown && messages[place + 1]?.role === 'tool' && Array.isArray(message.content)) {
      shown.push(...message.content)
    } else if (isShown && shown.length > 0 && Array.isArray(message.content)) {
      ordered.push({ role: 'user', content: [...shown, ...message.content] })
      shown = []
    } else {
      if (shown.length > 0 && message.role !== 'tool') {
        ordered.push({ role: 'user', content: shown })
        shown = []
      }
      ordered.push(message)
    }
  }
  return shown.length > 0 ? [...ordered, { role: 'user', content: shown }] : ordered
}

function isPlain({ pictures, tool_calls, tool_call_id, thinking }: PromptMessage): boolean {
  return [pictures, tool_calls, tool_call_id, thinking].every((part) => part === undefined)
}

/** Several providers refuse an earlier answer that has neither text nor calls. */
export function withoutEmptyAnswers(messages: readonly PromptMessage[]): readonly PromptMessage[] {
  const isEmpty = ({ role, content, tool_calls }: PromptMessage) =>
    role === 'assistant' && tool_calls === undefined && content.trim() === ''
  if (!messages.some(isEmpty)) return messages
  return messages.map((message) => (isEmpty(message) ? { ...message, content: '(empty)' } : message))
}

const otherKinds = new Set<string>(['reasoning_items', 'thinking_blocks', 'extra_content'])

function wireAnswer({ content, tool_calls, thinking }: PromptMessage): ChatCompletionMessageParam {
  const thoughts = thinking &&
    !otherKinds.has(thinking.field) && {
      [thinking.field]: thinking.field === 'reasoning_details' ? (thinking.details ?? []) : thinking.text,
    }
  if (tool_calls === undefined) return { role: 'assistant', content, ...thoughts }
  const extras = thinking?.field === 'extra_content' ? (thinking.details ?? []) : []
  const calls = tool_calls.map((call, place) => ({
    ...call,
    ...(extras[place] && { extra_content: extras[place] }),
  }))
  return { role: 'assistant', content: content === '' ? null : content, tool_calls: calls, ...thoughts }
}

export type TurnSettings = Pick<HttpEndpoint, 'system' | 'alternate'>

const between = '\n\n'

export function toWireTurns(
  messages: readonly PromptMessage[],
  settings: TurnSettings,
): readonly PromptMessage[] {
  const folded = settings.system === 'user' ? foldSystem(messages) : messages
  return settings.alternate === true ? joinTurns(folded) : folded
}

function foldSystem(messages: readonly PromptMessage[]): PromptMessage[] {
  const turns: PromptMessage[] = []
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

function joinTurns(messages: readonly PromptMessage[]): PromptMessage[] {
  const turns: PromptMessage[] = []
  for (const message of messages) {
    const before = turns.at(-1)
    if (before?.role !== message.role || hasCalls(before) || hasCalls(message)) turns.push(message)
    else turns[turns.length - 1] = join(before, message)
  }
  return turns
}

/** Turns of calls stay apart, because each answer belongs to its call. */
function hasCalls({ role, tool_calls }: PromptMessage): boolean {
  return role === 'tool' || tool_calls !== undefined
}

function join(left: PromptMessage, right: PromptMessage): PromptMessage {
  const pictures = [...(left.pictures ?? []), ...(right.pictures ?? [])]
  return {
    role: left.role,
    content: `${left.content}${between}${right.content}`,
    ...(pictures.length > 0 && { pictures }),
  }
}

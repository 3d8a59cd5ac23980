import type {
  CacheControlEphemeral,
  ContentBlockParam,
  ImageBlockParam,
  MessageParam,
  TextBlockParam,
} from '@anthropic-ai/sdk/resources/messages'
import type { Json } from '../../../core/contracts/json.ts'
import type { MessageCall, PromptMessage } from '../../../core/contracts/message.ts'
import type { WirePicture, WirePictures } from './wire-messages.ts'

export interface MessageTurns {
  system: TextBlockParam[]
  messages: MessageParam[]
}

/** In place of a turn without text: the API refuses empty blocks. */
const nothing = '(empty)'

/**
 * Writes a prompt as the Messages API takes it: the leading system texts apart, and turns of one role joined. The last
 * system block and the last block of the prompt are marked for the cache, so the next turn and each branch read from it.
 */
export async function messageTurns(
  prompt: readonly PromptMessage[],
  pictures: WirePictures,
  cache: 'off' | '5m' | '1h',
): Promise<MessageTurns> {
  const first = prompt.findIndex(({ role }) => role !== 'system')
  const start = first < 0 ? prompt.length : first
  const system = prompt
    .slice(0, start)
    .filter(({ content }) => content.trim() !== '')
    .map(({ content }): TextBlockParam => ({ type: 'text', text: content }))
  const turns = await Promise.all(
    prompt.slice(start).map(async (message): Promise<['user' | 'assistant', ContentBlockParam[]]> => {
      if (message.role === 'assistant') return ['assistant', answerBlocks(message)]
      return ['user', await userBlocks(message, pictures)]
    }),
  )
  const messages: { role: 'user' | 'assistant'; content: ContentBlockParam[] }[] = []
  for (const [role, content] of turns) {
    const before = messages.at(-1)
    if (content.length === 0) continue
    if (before?.role === role) before.content.push(...content)
    else messages.push({ role, content: [...content] })
  }
  if (messages.length === 0) messages.push({ role: 'user', content: [{ type: 'text', text: nothing }] })
  if (cache !== 'off') {
    const mark: CacheControlEphemeral = { type: 'ephemeral', ...(cache === '1h' && { ttl: cache }) }
    markLast(system, mark)
    markLast((messages.at(-1) as { content: ContentBlockParam[] }).content, mark)
  }
  return { system, messages: messages as MessageParam[] }
}

function markLast(blocks: ContentBlockParam[], cache_control: CacheControlEphemeral): void {
  const last = blocks.at(-1)
  if (last === undefined || last.type === 'thinking' || last.type === 'redacted_thinking') return
  blocks[blocks.length - 1] = { ...last, cache_control } as ContentBlockParam
}

async function userBlocks(
  { role, content, pictures: shown = [], tool_call_id = '' }: PromptMessage,
  pictures: WirePictures,
): Promise<ContentBlockParam[]> {
  const wired = (await Promise.all(shown.map(pictures))).filter((picture) => picture !== null)
  const text: TextBlockParam[] = content.trim() === '' ? [] : [{ type: 'text', text: content }]
  const blocks = [...text, ...wired.map(wirePicture)]
  if (role === 'tool') {
    return [{ type: 'tool_result', tool_use_id: tool_call_id, ...(blocks.length > 0 && { content: blocks }) }]
  }
  return blocks.length > 0 ? blocks : [{ type: 'text', text: nothing }]
}

function wirePicture({ url }: WirePicture): ImageBlockParam {
  const [, media_type, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? []
  if (media_type === undefined || data === undefined) return { type: 'image', source: { type: 'url', url } }
  return { type: 'image', source: { type: 'base64', media_type: media_type as 'image/png', data } }
}

type Block = { type: string; [field: string]: Json }

/**
 * An earlier answer. Its own blocks go back as they came, in their order, but for the calls, whose ids the prompt
 * chooses, and a text that was cut: a changed thinking block is refused.
 */
function answerBlocks({ content, tool_calls = [], thinking }: PromptMessage): ContentBlockParam[] {
  const given = thinking?.field === 'thinking_blocks' ? ((thinking.details ?? []) as Block[]) : []
  const texts = given.filter(({ type }) => type === 'text')
  const isWhole =
    texts
      .map(({ text }) => text)
      .join('')
      .trim() === content.trim()
  const calls = tool_calls.map(wireCall)
  const blocks: ContentBlockParam[] = []
  let hasText = content.trim() === ''
  for (const block of given) {
    if (block.type === 'thinking' || block.type === 'redacted_thinking') {
      blocks.push(block as unknown as ContentBlockParam)
    }
    if (block.type === 'text' && !hasText && !isWhole) {
      blocks.push({ type: 'text', text: content })
      hasText = true
    }
    if (block.type === 'text' && isWhole && String(block.text).trim() !== '') {
      blocks.push({ type: 'text', text: String(block.text) })
      hasText = true
    }
    if (block.type === 'tool_use') {
      const call = calls.shift()
      if (call !== undefined) blocks.push(call)
    }
  }
  if (!hasText) blocks.push({ type: 'text', text: content })
  blocks.push(...calls)
  const isOnlyThought = blocks.every(({ type }) => type === 'thinking' || type === 'redacted_thinking')
  return isOnlyThought ? [] : blocks
}

function wireCall({ id, function: call }: MessageCall): ContentBlockParam {
  return { type: 'tool_use', id, name: call.name, input: argumentsOf(call.arguments) }
}

function argumentsOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // The environment has answered that these arguments are malformed.
  }
  return {}
}

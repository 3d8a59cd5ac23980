import type { ResponseInputContent, ResponseInputItem } from 'openai/resources/responses/responses'
import type { Json } from '../../../core/contracts/json.ts'
import type { MessageCall, PromptMessage } from '../../../core/contracts/message.ts'
import type { WirePictures } from './wire-messages.ts'

export async function responseItems(
  messages: readonly PromptMessage[],
  pictures: WirePictures,
  systemRole: 'system' | 'developer',
): Promise<ResponseInputItem[]> {
  const items = await Promise.all(
    messages.map(async (message): Promise<ResponseInputItem[]> => {
      const { content, role, tool_call_id = '' } = message
      if (role === 'assistant') return answerItems(message)
      if (role === 'system') return [{ type: 'message', role: systemRole, content }]
      const shown = (await Promise.all((message.pictures ?? []).map(pictures))).filter(
        (each) => each !== null,
      )
      const images = shown.map(({ url, detail = 'auto' }): ResponseInputContent => {
        return { type: 'input_image', image_url: url, detail }
      })
      const parts: ResponseInputContent[] = [{ type: 'input_text', text: content }, ...images]
      if (role === 'tool') {
        const output = images.length === 0 ? content : parts
        return [{ type: 'function_call_output', call_id: tool_call_id, output } as ResponseInputItem]
      }
      return [{ type: 'message', role, content: images.length === 0 ? content : parts }]
    }),
  )
  return items.flat()
}

type Item = { type: string; [field: string]: Json }

/**
 * An earlier answer. Its own items go back as they came, in their order, but for the calls, whose ids the prompt
 * chooses, and a text that was cut. Reasoning that leads to nothing is left out, because the API refuses it.
 */
function answerItems({ content, tool_calls = [], thinking }: PromptMessage): ResponseInputItem[] {
  const given = thinking?.field === 'reasoning_items' ? ((thinking.details ?? []) as Item[]) : []
  const calls = tool_calls.map(wireCall)
  const isWhole = textOf(given).trim() === content.trim()
  const items: ResponseInputItem[] = []
  let hasText = content === ''
  for (const item of given) {
    if (item.type === 'reasoning') items.push(item as unknown as ResponseInputItem)
    if (item.type === 'message' && isWhole && content !== '') {
      items.push(item as unknown as ResponseInputItem)
      hasText = true
    } else if (item.type === 'message' && !hasText) {
      items.push({ type: 'message', role: 'assistant', content })
      hasText = true
    }
    if (item.type === 'function_call') {
      const call = calls.shift()
      if (call !== undefined) items.push(call)
    }
  }
  if (!hasText) items.push({ type: 'message', role: 'assistant', content })
  items.push(...calls)
  while (items.at(-1)?.type === 'reasoning') items.pop()
  return items
}

function wireCall({ id, function: call }: MessageCall): ResponseInputItem {
  return { type: 'function_call', call_id: id, name: call.name, arguments: call.arguments }
}

function textOf(items: readonly Item[]): string {
  return items
    .filter(({ type }) => type === 'message')
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .map((part) => (part as { text?: string } | null)?.text ?? '')
    .join('')
}

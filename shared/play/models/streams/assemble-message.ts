import type { DecodingFault } from '../codec.ts'
import { brokenStream, type StreamEvents } from './read-stream-events.ts'

type Fields = Record<string, unknown>

const pieces: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
}

/**
 * Joins the events of a streamed message to the body that the Messages API would have sent without a stream. Counts in
 * `message_delta` are totals, so the last ones hold.
 */
export function assembleMessage({ events }: StreamEvents): { body: unknown } | DecodingFault {
  let message = null as Fields | null
  let usage: Fields = {}
  let isWhole = false
  const blocks: Fields[] = []
  const inputs = new Map<number, string>()
  for (const { data } of events) {
    const event = data as Fields | null
    const at = typeof event?.index === 'number' ? event.index : blocks.length
    switch (event?.type) {
      case 'error':
        return { body: { error: event.error ?? 'an error in the stream' } }
      case 'message_start':
        message = { ...(event.message as Fields) }
        usage = { ...(message.usage as Fields) }
        break
      case 'content_block_start':
        blocks[at] = { ...(event.content_block as Fields) }
        break
      case 'content_block_delta':
        addPiece(blocks[at], event.delta as Fields, (text) => inputs.set(at, (inputs.get(at) ?? '') + text))
        break
      case 'message_delta':
        message = { ...message, ...(event.delta as Fields) }
        for (const [name, count] of Object.entries((event.usage ?? {}) as Fields)) {
          if (count !== null) usage[name] = count
        }
        break
      case 'message_stop':
        isWhole = true
    }
  }
  if (message === null || !isWhole) return brokenStream
  for (const [at, text] of inputs) {
    const block = blocks[at]
    if (block !== undefined && text !== '') block.input = parse(text)
  }
  return { body: { ...message, content: blocks.filter((block) => block !== undefined), usage } }
}

function addPiece(block: Fields | undefined, delta: Fields, addInput: (text: string) => void): void {
  if (block === undefined) return
  const { type } = delta
  if (type === 'input_json_delta') {
    addInput(String(delta.partial_json ?? ''))
    return
  }
  const field = typeof type === 'string' ? pieces[type] : undefined
  if (field !== undefined) block[field] = `${block[field] ?? ''}${delta[field] ?? ''}`
}

/** Arguments that an ending cut are kept as their text, which no tool takes. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

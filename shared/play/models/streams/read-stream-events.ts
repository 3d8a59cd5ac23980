import { parseJson } from '../../../core/contracts/parse-json.ts'
import type { DecodingFault } from '../codec.ts'

export interface StreamEvent {
  name: string
  data: unknown
}

export interface StreamEvents {
  events: readonly StreamEvent[]
  isDone: boolean
}

export function isEventStream(text: string): boolean {
  return /^\s*(data|event|id|retry|):/.test(text)
}

/**
 * Reads a whole body of server-sent events. An event without data is left out, as the format demands.
 *
 * Source: WHATWG HTML, "Interpreting an event stream".
 */
export function readStreamEvents(text: string): StreamEvents | DecodingFault {
  const events: StreamEvent[] = []
  let isDone = false
  for (const block of text.replace(/^\uFEFF/, '').split(/\r\n\r\n|\n\n|\r\r/)) {
    let name = ''
    const data: string[] = []
    for (const line of block.split(/\r\n|\n|\r/)) {
      const [, field, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
      if (field === 'event') name = value
      if (field === 'data') data.push(value)
    }
    const content = data.join('\n').trim()
    if (content === '') continue
    if (content === '[DONE]') isDone = true
    else {
      const parsed = parseJson(content)
      if (parsed === undefined) {
        return { wrong: 'the stream has an event that is not JSON.', transient: true }
      }
      events.push({ name, data: parsed })
    }
  }
  return { events, isDone }
}

/** A connection may break without an error: an answer counts only if its stream says that it is whole. */
export const brokenStream: DecodingFault = {
  wrong: 'the stream ended before its answer was whole.',
  transient: true,
}

import { clipText } from '../../core/contracts/well-formed.ts'
import type { DecodingFault } from './codec.ts'
import { isEventStream } from './streams/read-stream-events.ts'

const quoted = 200

/**
 * Describes an answer with status 200 that is none: a page, an unrequested stream, an error object, nothing. Proxies
 * and gateways send such answers while the model behind them is away. Null for everything else.
 *
 * @param body - parsed; a text if it was not sent as JSON
 */
export function findNoAnswer(body: unknown): DecodingFault | null {
  if (body === undefined || body === null || body === '') return { wrong: 'the answer is empty.' }
  if (typeof body === 'string') return describeText(body)
  if (typeof body !== 'object' || !('error' in body) || !body.error) return null
  return { wrong: `the answer is an error under status 200: ${quote(messageOf(body.error))}` }
}

function describeText(text: string): DecodingFault {
  const start = text.trimStart()
  if (isEventStream(start)) {
    return {
      wrong: 'the answer is a stream of events, which was not asked for.',
      advice: 'Check base_url, or set stream to true for an endpoint that always streams.',
    }
  }
  const what = /^<(!doctype|html|head|body|\?xml)/i.test(start) ? 'a page, not JSON' : 'not JSON'
  return { wrong: `the answer is ${what}: ${quote(start)}` }
}

function messageOf(error: unknown): string {
  if (
    typeof error === 'object' &&
    error !== null &&
    'message' in error &&
    typeof error.message === 'string'
  ) {
    return error.message
  }
  return typeof error === 'string' ? error : JSON.stringify(error)
}

function quote(text: string): string {
  return text.length <= quoted ? text : `${clipText(text, quoted)}…`
}

import type { Json } from '../../contracts/json.ts'
import type { IncomingMessage } from '../ports.ts'

/** The attribute of a message that carries its group, because not every reader receives SQS's own. */
export const groupAttribute = 'group'

export interface SqsRecord {
  messageId: string
  receiptHandle: string
  body: string
  attributes: { ApproximateReceiveCount: string; MessageGroupId?: string | undefined }
  messageAttributes: Record<string, { stringValue?: string | undefined }>
}

export function fromSqsRecord(record: SqsRecord): IncomingMessage {
  const { messageId, receiptHandle, body, attributes, messageAttributes } = record
  return {
    id: messageId,
    body: bodyOf(body),
    group: messageAttributes[groupAttribute]?.stringValue ?? attributes.MessageGroupId ?? '',
    receipt: receiptHandle,
    receives: Number(attributes.ApproximateReceiveCount),
  }
}

/**
 * Another sender wrote a body that is not JSON; message readers refuse it as a text, and it becomes a dead letter.
 */
function bodyOf(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}

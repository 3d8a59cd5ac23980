import type { RowMessage, WeightedMessage } from '../../../core/contracts/dataset-row.ts'

export function asContext(messages: readonly RowMessage[]): WeightedMessage[] {
  return messages.map((message) => (message.role === 'assistant' ? { ...message, weight: 0 } : message))
}

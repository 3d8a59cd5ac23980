import type { RowMessage, WeightedMessage } from '../../../core/contracts/dataset-row.ts'

/**
 * Marks turns as context: those before the first played answer, such as a worked example, are shown and not learned.
 */
export function asContext(messages: readonly RowMessage[]): WeightedMessage[] {
  return messages.map((message) => (message.role === 'assistant' ? { ...message, weight: 0 } : message))
}

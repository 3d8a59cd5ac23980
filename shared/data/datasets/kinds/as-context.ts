import type { WeightedMessage } from '../../../core/contracts/dataset-row.ts'
import type { Message } from '../../../core/contracts/message.ts'

/**
 * Marks turns as context: those before the first played answer, such as a worked example, are shown and not learned.
 */
export function asContext(messages: readonly Message[]): WeightedMessage[] {
  return messages.map((message) => (message.role === 'assistant' ? { ...message, weight: 0 } : message))
}
